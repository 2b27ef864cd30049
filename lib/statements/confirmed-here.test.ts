import { beforeEach, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { type CardWorld, cardWorld } from '#lib/testing/card-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { confirmForTest, csvOf, importedAndRead } from '#lib/testing/test-statement.ts'
import { confirmedHere } from './confirmed-here.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'

let world: CardWorld
let arbitrator: Session

beforeEach(async () => {
  world = await cardWorld()
  arbitrator = await signedIn(world.service, 'arbitrator@example.com', '00000000-0000-4000-8000-000000000002')
})

async function confirm(amount: string): Promise<string> {
  const referenceId = await world.service.announceDeposit(amount)
  const params = { referenceId, bankReference: ` ATL ${referenceId} `, statementAmount: amount }
  await runCommand(world.operator, 'deposit.confirm', params)
  return referenceId
}

test('who confirmed it, when and against which bank reference; you, where it was oneself', async () => {
  const reference = await confirm('21')
  expect(await confirmedHere(world.admin, reference)).toMatchObject({
    kind: 'confirmed',
    by: 'operator@example.com',
    bankReference: ` ATL ${reference} `,
    at: expect.stringMatching(/Z$/),
    line: null,
  })
})

test('the line of the statement that it was made from; none of a discarded statement', async () => {
  const reference = await world.service.announceDeposit('22')
  const id = await importedAndRead(world.operator, csvOf([{ amount: '5' }, { reference, amount: '22' }]))
  await confirmForTest(world.operator, id)
  expect(await confirmedHere(world.admin, reference)).toMatchObject({
    kind: 'confirmed',
    line: { statementId: id, number: 2, fileName: 'July.csv' },
  })
  await (await store()).updateTable('statement').set({ discarded_at: new Date().toISOString() }).execute()
  expect(await confirmedHere(world.admin, reference)).toMatchObject({ kind: 'confirmed', line: null })
})

test('to whoever may not see the change of others nothing but that there is one', async () => {
  const reference = await confirm('23')
  for (const session of [world.viewer, arbitrator]) {
    expect(await confirmedHere(session, reference)).toEqual({ kind: 'hidden' })
  }
})

test('a deposit that nobody confirmed here, or in another spelling, was not confirmed here', async () => {
  const reference = await confirm('24')
  expect(await confirmedHere(world.operator, `${reference}x`)).toEqual({ kind: 'none' })
  expect(await confirmedHere(world.operator, reference.toLowerCase())).toEqual({ kind: 'none' })
  const refused = await world.service.announceDeposit('25')
  await world.service.fault('POST', CONFIRM, { status: 400 })
  await runCommand(world.operator, 'deposit.confirm', {
    ...{ referenceId: refused, bankReference: 'ATL 25', statementAmount: '25' },
  })
  expect(await confirmedHere(world.operator, refused)).toEqual({ kind: 'none' })
})

test('one whose end is not known is told as such', async () => {
  const reference = await world.service.announceDeposit('26')
  await world.service.fault('POST', CONFIRM, 'drop-before')
  const { command } = await runCommand(world.operator, 'deposit.confirm', {
    ...{ referenceId: reference, bankReference: 'ATL 26', statementAmount: '26' },
  })
  expect(await confirmedHere(world.operator, reference)).toEqual({ kind: 'open', commandId: command.id })
  expect(await confirmedHere(world.viewer, reference)).toEqual({ kind: 'hidden' })
})
