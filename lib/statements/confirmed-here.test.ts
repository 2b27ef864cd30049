import { expect } from 'vitest'
import { reconcileCommand } from '#lib/commands/reconcile.ts'
import { verdictMove } from '#lib/commands/settle.ts'
import { moveCommand } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import { cardTest } from '#lib/testing/card-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { commandOrFail, sentSecondsAgo } from '#lib/testing/passed-time.ts'
import { confirmForTest, csvOf, importedAndRead } from '#lib/testing/test-statement.ts'
import { confirmedHere } from './confirmed-here.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'

const test = cardTest.extend('confirm', ({ service, operator }) => async (amount: string): Promise<string> => {
  const referenceId = await service.announceDeposit(amount)
  const params = { referenceId, bankReference: ` ATL ${referenceId} `, statementAmount: amount }
  await runCommand(operator, 'deposit.confirm', params)
  return referenceId
})

test('who confirmed it, when and against which bank reference; you, where it was oneself', async ({
  admin,
  confirm,
}) => {
  const reference = await confirm('21')
  expect(await confirmedHere(admin, reference)).toMatchObject({
    kind: 'confirmed',
    by: 'operator@example.com',
    bankReference: ` ATL ${reference} `,
    at: expect.stringMatching(/Z$/),
    line: null,
  })
})

test('the line of the statement that it was made from; none of a discarded statement', async ({
  service,
  operator,
  admin,
}) => {
  const reference = await service.announceDeposit('22')
  const id = await importedAndRead(operator, csvOf([{ amount: '5' }, { reference, amount: '22' }]))
  await confirmForTest(operator, id)
  expect(await confirmedHere(admin, reference)).toMatchObject({
    kind: 'confirmed',
    line: { statementId: id, number: 2, fileName: 'July.csv' },
  })
  await (await store()).updateTable('statement').set({ discarded_at: new Date().toISOString() }).execute()
  expect(await confirmedHere(admin, reference)).toMatchObject({ kind: 'confirmed', line: null })
})

test('to whoever may not see the change of others nothing but that there is one', async ({
  arbitrator,
  viewer,
  confirm,
}) => {
  const reference = await confirm('23')
  for (const session of [viewer, arbitrator]) {
    expect(await confirmedHere(session, reference)).toEqual({ kind: 'hidden' })
  }
})

test('a deposit that nobody confirmed here, or in another spelling, was not confirmed here', async ({
  service,
  operator,
  confirm,
}) => {
  const reference = await confirm('24')
  expect(await confirmedHere(operator, `${reference}x`)).toEqual({ kind: 'none' })
  expect(await confirmedHere(operator, reference.toLowerCase())).toEqual({ kind: 'none' })
  const refused = await service.announceDeposit('25')
  await service.fault('POST', CONFIRM, { status: 400 })
  await runCommand(operator, 'deposit.confirm', {
    ...{ referenceId: refused, bankReference: 'ATL 25', statementAmount: '25' },
  })
  expect(await confirmedHere(operator, refused)).toEqual({ kind: 'none' })
})

test('one whose end is not known is told as such', async ({ service, operator, viewer }) => {
  const reference = await service.announceDeposit('26')
  await service.fault('POST', CONFIRM, 'drop-before')
  const { command } = await runCommand(operator, 'deposit.confirm', {
    ...{ referenceId: reference, bankReference: 'ATL 26', statementAmount: '26' },
  })
  expect(await confirmedHere(operator, reference)).toEqual({ kind: 'open', commandId: command.id })
  expect(await confirmedHere(viewer, reference)).toEqual({ kind: 'hidden' })
})

const lostTest = test.extend('lost', ({ service, operator }) => async () => {
  const referenceId = await service.announceDeposit('27')
  const params = { referenceId, bankReference: `ATL ${referenceId}`, statementAmount: '27' }
  await service.fault('POST', CONFIRM, 'drop-before')
  const { command } = await runCommand(operator, 'deposit.confirm', params)
  return { referenceId, params, id: command.id }
})

lostTest('looks for an effect for a day, also after a refusal', async ({ service, operator, lost }) => {
  const { referenceId, params, id } = await lost()
  await reconcileCommand(operator, await sentSecondsAgo(id, 121))
  const noEffect = { kind: 'no-effect', commandId: id }
  expect(await confirmedHere(operator, referenceId)).toEqual(noEffect)
  await service.fault('POST', CONFIRM, { status: 400 })
  await runCommand(operator, 'deposit.confirm', params)
  expect(await confirmedHere(operator, referenceId)).toEqual(noEffect)

  const isHandled = { handled_at: new Date().toISOString() }
  const change = async (values: object) =>
    await (await store()).updateTable('command').set(values).where('id', '=', id).execute()
  await change(isHandled)
  expect(await confirmedHere(operator, referenceId)).toEqual(noEffect)
  await change({ reconcile_until: isHandled.handled_at })
  expect(await confirmedHere(operator, referenceId)).toEqual({ kind: 'none' })
})

lostTest('takes a person’s word that nothing happened', async ({ operator, lost }) => {
  const { referenceId, id } = await lost()
  const verdict = { happened: false, why: 'The bank says so.' }
  await moveCommand(await store(), id, verdictMove(await commandOrFail(id), operator, verdict))
  expect(await confirmedHere(operator, referenceId)).toEqual({ kind: 'none' })
})
