import { sql } from 'kysely'
import { expect } from 'vitest'
import { executeCommand } from '#lib/commands/execute.ts'
import { withdrawCommand } from '#lib/commands/prepare.ts'
import { findCommand } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { confirmForTest, csvOf, importedAndRead, pageOf, statusesOf, toItsEnd } from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { draftByHand, startConfirming } from './confirm-lines.ts'
import { editLine } from './edit-line.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'

const test = serviceTest
  .extend('sent', ({ service }) => (): Promise<number> => {
    return service.arrived('POST', CONFIRM)
  })
  /** A statement of one line without a reference, to which the deposit's was entered by hand. */
  .extend('enteredByHand', ({ service, operator, admin }) => async (): Promise<{ id: string; reference: string }> => {
    const reference = await service.announceDeposit('10')
    const id = await importedAndRead(operator, csvOf([{ text: 'top-up of Ana' }]))
    expect(await editLine(admin, id, 1, { act: 'reference', reference })).toBeNull()
    return { id, reference }
  })

const chainFaults = async () => (await verifyJournal(await store(), config())).faults

async function drafted(session: Session, id: string) {
  const reply = await draftByHand(session, id, 1)
  if (!reply.ok) throw new Error(reply.why)
  return reply
}

const execute = (session: Session, id: string) =>
  toItsEnd((detach) => executeCommand(session, id, { code: null, proof: null }, detach))

test('no run counts it, sends it or has it in its seal', async ({ operator, sent, enteredByHand }) => {
  const before = await sent()
  const { id } = await enteredByHand()
  expect(await statusesOf(id)).toEqual(['by-hand'])
  const { ready } = await pageOf(id)
  expect(ready).toMatchObject({ count: 0, sum: '0' })
  expect(await confirmForTest(operator, id)).toBe('changed')
  await expect.poll(sent).toBe(before)
})

test('nor where the bank’s reference is what was entered', async ({ service, operator }) => {
  const id = await importedAndRead(operator, csvOf([{ reference: await service.announceDeposit('10'), bank: '' }]))
  await editLine(operator, id, 1, { act: 'bank-reference', bankReference: 'B-9' })
  expect((await pageOf(id)).lines[0]).toMatchObject({ status: 'by-hand', bankFrom: 'hand' })
  await editLine(operator, id, 1, { act: 'bank-reference', bankReference: '' })
})

test('the file’s own reference entered again is the file’s own', async ({ service, operator }) => {
  const reference = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ reference }]))
  await editLine(operator, id, 1, { act: 'reference', reference: 'other' })
  expect(await statusesOf(id)).toEqual(['unknown'])
  await editLine(operator, id, 1, { act: 'reference', reference })
  expect(await statusesOf(id)).toEqual(['ready'])
})

test('an edit while a run goes on takes the line out of it', async ({ service, operator, admin, sent }) => {
  const before = await sent()
  const [first, second] = [await service.announceDeposit('10'), await service.announceDeposit('10')]
  const other = await service.announceDeposit('10')
  const id = await importedAndRead(operator, csvOf([{ reference: first }, { reference: second }]))
  const { seal } = (await pageOf(id)).ready
  await service.fault('POST', CONFIRM, 'hold', 1)
  await toItsEnd(async (detach) => {
    await startConfirming(operator, id, { seal, code: null }, detach)
    await service.held(1)
    expect(await editLine(admin, id, 2, { act: 'reference', reference: other })).toBeNull()
    expect(await editLine(admin, id, 1, { act: 'set-aside', reason: 'late' })).toMatch(/confirmation was sent/)
    await service.clearFaults()
  })
  expect(await statusesOf(id)).toEqual(['done', 'by-hand'])
  await expect.poll(sent).toBe(before + 1)
  expect(await chainFaults()).toEqual([])
})

test('a person confirms it with both texts before them; it goes out once', async ({
  operator,
  sent,
  enteredByHand,
}) => {
  const before = await sent()
  const { id, reference } = await enteredByHand()
  const { draft, facts, line } = await drafted(operator, id)
  expect(line).toMatchObject({
    given: { reference: '' },
    sought: reference,
    text: 'top-up of Ana',
    soughtEntered: { by: 'admin@example.com' },
  })
  expect(facts.map(({ label }) => label)).toEqual(['State', 'Sender pays', 'Recipient gets', 'Holder'])
  await Promise.all([execute(operator, draft.id), execute(operator, draft.id)])
  expect(await statusesOf(id)).toEqual(['done'])
  expect((await draftByHand(operator, id, 1)).ok).toBe(false)
  await expect.poll(sent).toBe(before + 1)
})

test('what was looked at and left is as it was before', async ({ operator, enteredByHand }) => {
  const { id } = await enteredByHand()
  const { draft } = await drafted(operator, id)
  await withdrawCommand(operator, draft.id)
  expect(await statusesOf(id)).toEqual(['by-hand'])
  expect((await pageOf(id)).lines[0]?.commandId).toBeNull()
})

test('a withdrawn draft and its freed line are one change', async ({ operator, enteredByHand }) => {
  const { id } = await enteredByHand()
  const { draft } = await drafted(operator, id)
  const db = await store()
  await sql`ALTER TABLE statement_line ADD CONSTRAINT stays_bound CHECK (command_id IS NOT NULL) NOT VALID`.execute(db)
  await expect(withdrawCommand(operator, draft.id)).rejects.toThrow('stays_bound')
  await sql`ALTER TABLE statement_line DROP CONSTRAINT stays_bound`.execute(db)
  expect((await findCommand(db, draft.id))?.state).toBe('draft')
})

test('an edit after it was shown takes the draft back: nothing is sent', async ({
  service,
  operator,
  admin,
  sent,
  enteredByHand,
}) => {
  const before = await sent()
  const { id } = await enteredByHand()
  const { draft } = await drafted(operator, id)
  await editLine(admin, id, 1, { act: 'reference', reference: await service.announceDeposit('10') })
  const reply = await execute(operator, draft.id)
  expect(reply.ok && reply.command.outcome).toMatchObject({ class: 'refused', sent: false })
  expect(await statusesOf(id)).toEqual(['by-hand'])
  await expect.poll(sent).toBe(before)
})

test('a refused edit leaves the draft of a colleague', async ({ operator, admin, enteredByHand }) => {
  const { id } = await enteredByHand()
  const { draft } = await drafted(operator, id)
  expect(await editLine(admin, id, 1, { act: 'accept', reference: 'DEP~not-suggested' })).toMatch(/no longer suggested/)
  expect((await findCommand(await store(), draft.id))?.state).toBe('draft')
})

test('two people at one line: whoever opened it last confirms it, and it goes out once', async ({
  operator,
  admin,
  sent,
  enteredByHand,
}) => {
  const before = await sent()
  const { id } = await enteredByHand()
  const [first, second] = [await drafted(operator, id), await drafted(admin, id)]
  await Promise.all([execute(operator, first.draft.id), execute(admin, second.draft.id)])
  expect(await statusesOf(id)).toEqual(['done'])
  await expect.poll(sent).toBe(before + 1)
})

test('an edit and the confirmation at once: one of them wins', async ({ service, operator, admin, enteredByHand }) => {
  const { id, reference } = await enteredByHand()
  const { draft } = await drafted(operator, id)
  const other = await service.announceDeposit('10')
  const [fault] = await Promise.all([
    editLine(admin, id, 1, { act: 'reference', reference: other }),
    execute(operator, draft.id),
  ])
  const [line] = (await pageOf(id)).lines
  expect([line?.status, line?.sought]).toEqual(fault === null ? ['by-hand', other] : ['done', reference])
  expect(await chainFaults()).toEqual([])
})
