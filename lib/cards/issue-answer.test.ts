import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { ANA, NEW_CARD } from '#lib/testing/card-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { dumpStore } from '#lib/testing/dump-store.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'

const NUMBER = '9084 0030 7218 3688'
const ISSUED = {
  id: '3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15',
  userId: ANA,
  last4: '3688',
  cardType: 1,
  printedName: 'Ana Alvarez',
  status: 'UNISSUED',
}
const CARD = { ...ISSUED, cardNumber: null, cardTypeName: 'Classic', frozen: false, issuedAt: '2026-07-01T10:00:00Z' }

let service: ScriptedService
let session: Session

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  session = await signedIn(0)
})
afterAll(() => service.stop())

const issue = async (data: unknown) => {
  service.on('POST /api/v1/cards', ok(data))
  return await runCommand(session, 'card.issue', NEW_CARD)
}

test.each([
  ['in the card', { ...CARD, cardNumber: NUMBER }],
  ['in a card of its own', { card: { ...CARD, cardNumber: NUMBER } }],
  ['beside the card', { card: CARD, cardNumber: NUMBER }],
  ['beside a masked one', { ...CARD, cardNumber: '**** **** **** 3688', fullNumber: NUMBER }],
  ['as a number', { ...CARD, number: NUMBER }],
  ['as the full one', { ...CARD, fullCardNumber: NUMBER }],
  ['as a PAN', { card: CARD, pan: NUMBER }],
  ['with few other fields', { ...ISSUED, pan: NUMBER }],
  ['with a field named card', { ...CARD, cardNumber: NUMBER, card: 'Classic' }],
])('shows the number once and saves none: %s', async (_where, data) => {
  const { command, once } = await issue(data)
  expect([command.outcome.class, once]).toEqual(['done', { what: 'card-number', cardNumber: NUMBER }])
  const saved = JSON.stringify([command, ...(await dumpStore())])
  expect(saved).toContain('3688')
  for (const digits of [NUMBER, NUMBER.replaceAll(' ', '')]) expect(saved).not.toContain(digits)
})

test.each([
  ['none', CARD],
  ['one of another card', { ...CARD, number: '4000000000001111' }],
  ['too few digits', { ...CARD, number: '3688' }],
  ['a masked one', { ...CARD, cardNumber: '**** **** **** 3688' }],
])('tells truly that the answer had no number: %s', async (_what, data) => {
  const { command, once } = await issue(data)
  expect([command.outcome.class, once]).toEqual(['done', null])
  const lines = command.outcome.class === 'done' ? command.outcome.lines : []
  expect(lines).toContainEqual({ label: 'Card number', value: 'not in the service’s answer', as: 'text' })
})

test.each([
  ['other digits', { ...CARD, cardNumber: '4000000000001111' }],
  ['a card without an id', { card: { ...CARD, id: undefined }, pan: NUMBER }],
])('an answer with %s proves no card', async (_what, data) => {
  const { command, once } = await issue(data)
  expect([command.outcome.class, once]).toEqual(['unknown', null])
})
