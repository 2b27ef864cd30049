import { afterEach, beforeEach, expect, vi } from 'vitest'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { findEvents } from '#lib/journal/event.ts'
import { draftByHand } from '#lib/statements/confirm-lines.ts'
import { store } from '#lib/store/store.ts'
import { NEW_CARD } from '#lib/testing/card-world.ts'
import { draftOf } from '#lib/testing/command-run.ts'
import { draftForTest } from '#lib/testing/gated-deposit.ts'
import { commandOrFail } from '#lib/testing/passed-time.ts'
import { storeText } from '#lib/testing/store-text.ts'
import { csvOf, importedAndRead, pageOf } from '#lib/testing/test-statement.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import { eraseOldText } from './erase-text.ts'
import { startCommand } from './execute.ts'
import { maintain } from './maintenance.ts'
import { endExpiredDraft } from './prepare.ts'
import { whileSending } from './send.ts'
import { viewOf } from './view.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const CANARY = 'Dolores Canary'

const test = serviceTest.extend('drafted', ({ operator }) => async (minutesAgo: number): Promise<string> => {
  const id = await draftForTest(operator, 'card.issue', { ...NEW_CARD, printedName: CANARY })
  await preparedAgo(id, minutesAgo)
  return id
})

beforeEach(() => putPerProcess('text retention', undefined))
afterEach(() => vi.useRealTimers())

async function preparedAgo(id: string, minutes: number): Promise<void> {
  const created_at = new Date(Date.now() - minutes * MINUTE_MS).toISOString()
  await (await store()).updateTable('command').set({ created_at }).where('id', '=', id).execute()
}

const stateOf = async (id: string) => (await commandOrFail(id)).state
const endsOf = async (id: string) =>
  (await findEvents(await store(), id)).map(({ state }) => state).filter((state) => state !== 'draft')

test('ends a draft that nobody confirmed', async ({ drafted }) => {
  const [old, young] = [await drafted(16), await drafted(11)]
  await maintain()
  expect(viewOf(await commandOrFail(old)).outcome).toMatchObject({ class: 'refused', sent: false })
  expect([await stateOf(old), await stateOf(young)]).toEqual(['closed', 'draft'])
})

test('erases the text of a draft that nobody confirmed', async ({ operator }) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 40 * DAY_MS })
  await draftForTest(operator, 'card.issue', { ...NEW_CARD, printedName: CANARY })
  vi.setSystemTime(Date.now() + 16 * MINUTE_MS)
  await maintain()
  vi.useRealTimers()
  expect(await storeText()).toContain(CANARY)
  Object.assign(config(), { textKeptDays: 30 })
  await eraseOldText()
  expect(await storeText()).not.toContain(CANARY)
})

test('the text of an abandoned draft can be erased on request', async ({ operator, drafted }) => {
  const id = await drafted(16)
  expect((await draftOf(operator, 'change.erase', { id, reason: 'She asked for it' })).ok).toBe(false)
  await maintain()
  expect((await draftOf(operator, 'change.erase', { id, reason: 'She asked for it' })).ok).toBe(true)
})

test('ends at most twenty drafts in a round', async ({ drafted }) => {
  const ids: string[] = []
  for (let at = 0; at < 21; at += 1) ids.push(await drafted(40 - at))
  const ended = async () => (await Promise.all(ids.map(stateOf))).filter((state) => state === 'closed').length
  await maintain()
  expect([await ended(), await stateOf(ids.at(-1) ?? '')]).toEqual([20, 'draft'])
  await maintain()
  expect(await ended()).toBe(21)
})

test('does not end a draft that was sent meanwhile', async ({ drafted }) => {
  const id = await drafted(16)
  const read = await commandOrFail(id)
  await startCommand(await store(), id, [])
  await endExpiredDraft(read)
  expect(await stateOf(id)).toBe('sent')
})

test.for([
  ['sent first', ['send', 'end', 'end']],
  ['ended first', ['end', 'end', 'send']],
] as const)('two processes and its author move a draft once: %s', async ([_order, acts], { drafted }) => {
  const id = await drafted(16)
  const act = { send: async () => void (await startCommand(await store(), id, [])), end: maintain }
  await whileSending(id, () => Promise.all(acts.map((name) => act[name]())))
  expect(await endsOf(id)).toEqual([await stateOf(id)])
  expect(['sent', 'closed']).toContain(await stateOf(id))
})

test('frees the statement line of a draft', async ({ service, operator }) => {
  const reference = await service.announceDeposit('10')
  const statementId = await importedAndRead(operator, csvOf([{ reference, amount: '10.00' }]))
  const first = await draftByHand(operator, statementId, 1)
  if (!first.ok) throw new Error(first.why)
  await preparedAgo(first.draft.id, 16)
  await maintain()
  expect((await pageOf(statementId)).lines[0]).toMatchObject({ status: 'ready', commandId: null })
  expect((await draftByHand(operator, statementId, 1)).ok).toBe(true)
})
