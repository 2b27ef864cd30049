import { expect } from 'vitest'
import { requestPage } from '#lib/commands/policy/approval-list.ts'
import { askForApproval } from '#lib/commands/policy/approvals.ts'
import { withdrawCommand } from '#lib/commands/prepare.ts'
import { reconcileCommand } from '#lib/commands/reconcile.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { decide } from '#lib/testing/approval-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { draftForTest, executeForTest } from '#lib/testing/gated-deposit.ts'
import { sentSecondsAgo } from '#lib/testing/passed-time.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import {
  confirmForTest,
  csvOf,
  importedAndRead,
  importForTest,
  MAPPING,
  pageOf,
  statusesOf,
} from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { draftByHand } from './confirm-lines.ts'
import { editLine, type LineAct } from './edit-line.ts'
import { readPackedFile } from './file/read-file.ts'
import { importStatement } from './import.ts'
import { discardStatement } from './statement-list.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'

const test = serviceTest
  .extend('rules', [{ kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, approval: { by: 1 } }])
  .extend('lineOf', ({ service }) => async (amount: string) => ({
    reference: await service.announceDeposit(amount),
    amount: `${amount}.00`,
  }))
  /** A reference that the admin entered at a line of the operator's statement. */
  .extend('entered', ({ service, operator, admin }) => async () => {
    const id = await importedAndRead(operator, csvOf([{ amount: '500.00', text: 'top-up of Ana' }]))
    const reference = await service.announceDeposit('500')
    expect(await editLine(admin, id, 1, { act: 'reference', reference })).toBeNull()
    return { id, params: { referenceId: reference, bankReference: `B-${reference}`, statementAmount: '500' } }
  })

/** Prepares the confirmation of a line by itself, and asks for approval. */
async function requestApproval(by: Session, statementId: string, number: number): Promise<string> {
  const reply = await draftByHand(by, statementId, number)
  if (!reply.ok) throw new Error(reply.why)
  expect(reply.draft.approval).toMatchObject({ need: 'This change needs one approval.', amount: '500.00000000' })
  await askForApproval(by, reply.draft.id, { reason: 'On the statement', proof: null })
  return reply.draft.id
}

test('confirms what needs no approval, and sets the rest apart', async ({ service, operator, admin, lineOf }) => {
  const before = await service.arrived('POST', CONFIRM)
  const id = await importedAndRead(operator, csvOf([await lineOf('10'), await lineOf('500'), await lineOf('20')]))
  expect((await pageOf(id)).lines.map(({ needsApproval }) => needsApproval)).toEqual([false, true, false])
  expect((await pageOf(id)).ready).toMatchObject({ count: 3, apart: 1 })
  await confirmForTest(operator, id)
  expect(await statusesOf(id)).toEqual(['done', 'ready', 'done'])
  expect((await pageOf(id)).work.ended).toMatch(/^1 needs an approval or a passkey: confirm it separately/)

  const commandId = await requestApproval(operator, id, 2)
  expect(await statusesOf(id)).toEqual(['done', 'open', 'done'])
  await decide(admin, commandId)
  expect((await executeForTest(operator, commandId)).command.outcome.class).toBe('done')
  expect(await statusesOf(id)).toEqual(['done', 'done', 'done'])
  expect(await service.arrived('POST', CONFIRM)).toBe(before + 3)
})

test('offers a ready line alone if its reference is marked', async ({ service, operator, admin }) => {
  underPolicy({ kind: 'deposit.confirm', when: { enteredByHand: true, amountAtLeast: '20' }, approval: { by: 1 } })
  const [one, two] = [await service.announceDeposit('20'), await service.announceDeposit('10')]
  const id = await importedAndRead(
    operator,
    csvOf([{ text: 'typed' }, { text: 'typed' }, { reference: one, amount: '20.00' }, { reference: two }]),
  )
  for (const [number, reference] of [one, two].entries()) {
    await editLine(operator, id, number + 1, { act: 'reference', reference })
    await editLine(operator, id, number + 1, { act: 'reference', reference: 'DEP~corrected' })
    await editLine(operator, id, number + 3, { act: 'look' })
  }
  expect((await pageOf(id)).lines.map(({ needsApproval }) => needsApproval)).toEqual([false, false, true, false])
  expect((await pageOf(id)).ready).toMatchObject({ count: 2, apart: 1 })
  await confirmForTest(operator, id)
  expect((await pageOf(id)).work.ended).toMatch(/^1 needs an approval/)
  const reply = await draftByHand(operator, id, 3)
  if (!reply.ok) throw new Error(reply.why)
  await askForApproval(operator, reply.draft.id, { reason: 'On the statement', proof: null })
  await decide(admin, reply.draft.id)
  await executeForTest(operator, reply.draft.id)
  expect(await statusesOf(id)).toEqual(['unknown', 'unknown', 'done', 'done'])
})

test('offers a line alone if its bank reference was freed', async ({ service, operator }) => {
  underPolicy({ kind: 'deposit.confirm', when: { freedByHand: true }, approval: { by: 1 } })
  const [one, two] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
  await service.fault('POST', CONFIRM, 'drop-before')
  const params = { referenceId: one, bankReference: 'nb 7', statementAmount: '10' }
  const { command } = await runCommand(operator, 'deposit.confirm', params)
  await reconcileCommand(operator, await sentSecondsAgo(command.id, 121))
  const id = await importedAndRead(operator, csvOf([{ reference: two, bank: 'NB 7' }, { reference: one }]))
  expect((await pageOf(id)).ready).toMatchObject({ count: 1, apart: 0 })
  await (await store()).deleteFrom('command_lock').where('command_id', '=', command.id).execute()
  expect((await pageOf(id)).lines.map(({ needsApproval }) => needsApproval)).toEqual([true, false])
  expect((await pageOf(id)).ready).toMatchObject({ count: 2, apart: 1 })
})

test('who entered a reference of the line by hand does not approve its confirmation', async ({
  service,
  operator,
  admin,
}) => {
  const id = await importedAndRead(operator, csvOf([{ amount: '500.00', text: 'top-up of Ana' }]))
  const reference = await service.announceDeposit('500')
  expect(await editLine(admin, id, 1, { act: 'reference', reference })).toBeNull()
  const commandId = await requestApproval(operator, id, 1)
  expect(await decide(admin, commandId)).toMatchObject({
    ok: false,
    problem: { status: 403, title: expect.stringContaining('You entered data of this change') },
  })
})

test('asks for approval of lines with an entered reference only', async ({ service, operator, admin, lineOf }) => {
  underPolicy({ kind: 'deposit.confirm', when: { enteredByHand: true }, approval: { by: 1 } })
  const reference = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ text: 'top-up of Ana' }, await lineOf('20')]))
  expect(await editLine(admin, id, 1, { act: 'reference', reference })).toBeNull()
  await confirmForTest(operator, id)
  expect(await statusesOf(id)).toEqual(['by-hand', 'done'])
  const reply = await draftByHand(operator, id, 1)
  if (!reply.ok) throw new Error(reply.why)
  expect(reply.draft.approval).toMatchObject({
    rules: [expect.stringMatching(/if the reference was entered or accepted by hand\.$/)],
  })
  expect((await executeForTest(operator, reply.draft.id)).command.outcome).toMatchObject({
    class: 'refused',
    sent: false,
  })
})

test('what was entered by hand after the draft was made counts as well', async ({ service, operator, admin }) => {
  underPolicy({ kind: 'deposit.confirm', when: { enteredByHand: true }, approval: { by: 1 } })
  const reference = await service.announceDeposit('10')
  const params = { referenceId: reference, bankReference: 'B-1', statementAmount: '10' }
  const draft = await draftForTest(operator, 'deposit.confirm', params)
  const id = await importedAndRead(operator, csvOf([{ text: 'top-up of Ana' }]))
  expect(await editLine(admin, id, 1, { act: 'reference', reference })).toBeNull()
  expect((await executeForTest(operator, draft)).command.outcome).toMatchObject({ class: 'refused', sent: false })
})

const WAITS = expect.stringMatching(/waits for approval/)
const ACTS: readonly LineAct[] = [
  { act: 'reference', reference: 'DEP-1' },
  { act: 'bank-reference', bankReference: 'ANOTHER' },
  { act: 'set-aside', reason: 'x' },
  { act: 'look' },
]

test('while a confirmation waits for approval nobody changes its line, or discards the statement', async ({
  operator,
  admin,
  lineOf,
}) => {
  const id = await importedAndRead(operator, csvOf([await lineOf('500')]))
  const commandId = await requestApproval(operator, id, 1)
  for (const by of [admin, operator]) for (const act of ACTS) expect(await editLine(by, id, 1, act)).toEqual(WAITS)
  expect(await discardStatement(operator, id)).toEqual(WAITS)
  await decide(admin, commandId)
  expect((await executeForTest(operator, commandId)).command.outcome.class).toBe('done')
})

test('once it was taken back the line is changed and confirmed anew', async ({ operator, admin, lineOf }) => {
  const id = await importedAndRead(operator, csvOf([await lineOf('500')]))
  await withdrawCommand(operator, await requestApproval(operator, id, 1))
  expect(await editLine(admin, id, 1, { act: 'bank-reference', bankReference: 'ANOTHER' })).toBeNull()
  const commandId = await requestApproval(operator, id, 1)
  expect(await decide(admin, commandId)).toMatchObject({ ok: false, problem: { status: 403 } })
})

const waysToHide: [string, (by: Session, id: string) => Promise<string | null>][] = [
  ['discarding the statement', discardStatement],
  ['entering another reference', (by, id) => editLine(by, id, 1, { act: 'reference', reference: 'DEP-2' })],
]

test.for(waysToHide)(
  'who entered a reference does not approve its confirmation after %s',
  async ([_way, hide], { operator, admin, entered }) => {
    underPolicy({ kind: 'deposit.confirm', when: { enteredByHand: true }, approval: { by: 1 } })
    const { id, params } = await entered()
    expect(await hide(operator, id)).toBeNull()
    const commandId = await draftForTest(operator, 'deposit.confirm', params)
    expect(await askForApproval(operator, commandId, { reason: 'x', proof: null })).toMatchObject({
      command: { outcome: { class: 'approval' } },
    })
    expect(await decide(admin, commandId)).toMatchObject({ ok: false, problem: { status: 403 } })
  },
)

test('nor by a bank’s reference that they entered; and what the file itself has is nobody’s word', async ({
  operator,
  admin,
  lineOf,
}) => {
  underPolicy({ kind: 'deposit.confirm', when: { enteredByHand: true }, approval: { by: 1 } })
  const line = await lineOf('500')
  const id = await importedAndRead(operator, csvOf([{ ...line, bank: 'B-1' }]))
  expect(await editLine(admin, id, 1, { act: 'bank-reference', bankReference: 'B-2' })).toBeNull()
  expect(await editLine(admin, id, 1, { act: 'bank-reference', bankReference: 'B-1' })).toBeNull()
  expect(await editLine(admin, id, 1, { act: 'reference', reference: line.reference })).toBeNull()
  const params = { referenceId: line.reference, statementAmount: '500' }
  const own = await draftForTest(operator, 'deposit.confirm', { ...params, bankReference: 'B-1' })
  expect(await askForApproval(operator, own, { reason: 'x', proof: null })).toMatchObject({
    notice: expect.stringContaining('no longer needs approval'),
  })
  const commandId = await draftForTest(operator, 'deposit.confirm', { ...params, bankReference: 'b-2' })
  await askForApproval(operator, commandId, { reason: 'x', proof: null })
  expect(await decide(admin, commandId)).toMatchObject({ ok: false, problem: { status: 403 } })
})

const EVERY = { kind: null, by: null, status: null, since: null, until: null } as const

test.for(['draft', 'request'] as const)(
  'a %s ends if the money went back',
  async (what, { service, operator, admin, lineOf }) => {
    const before = await service.arrived('POST', CONFIRM)
    const payment = { ...(await lineOf('500')), bank: 'B-500' }
    const id = await importedAndRead(admin, csvOf([payment]))
    const reply = await draftByHand(admin, id, 1)
    if (!reply.ok) throw new Error(reply.why)
    const commandId = reply.draft.id
    if (what === 'request') await askForApproval(admin, commandId, { reason: 'On the statement', proof: null })
    const bytes = csvOf([{ reference: 'other' }, { ...payment, amount: '-500.00' }])
    const file = { name: 'Later.csv', bytes, mapping: MAPPING, seal: null, reason: '', replaces: null }
    const read = await importStatement(admin, file, readPackedFile)
    expect(read).toMatchObject({
      preview: {
        summary: { warnings: [], remarks: [{ what: expect.stringMatching(/Its confirmation, not sent yet, ends/) }] },
      },
    })
    await importForTest(admin, bytes)
    const outcome = { class: 'refused', sent: false, title: 'The money went back', advice: 'Nothing was sent.' }
    expect(await withdrawCommand(admin, commandId)).toMatchObject({ command: { outcome } })
    const decision = { notice: 'It no longer waits for a decision. Yours was not recorded.', command: { outcome } }
    expect(await decide(operator, commandId)).toMatchObject(what === 'request' ? decision : {})
    expect((await executeForTest(admin, commandId)).command.outcome).toEqual({ ...outcome, problem: null })
    expect(await statusesOf(id)).toEqual(['set-aside'])
    expect(await service.arrived('POST', CONFIRM)).toBe(before)
    const { rows } = await requestPage(operator, { view: 'decided', ...EVERY }, { page: 1, size: 5 })
    expect(rows).toMatchObject(what === 'request' ? [{ id: commandId, status: 'ended', outcome }] : [])
  },
)
