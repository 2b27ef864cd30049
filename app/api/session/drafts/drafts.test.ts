import { beforeEach, expect, test, vi } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { readUnsentText } from '#lib/session/unsent-text.ts'
import { depositPlace, messagePlace } from '#lib/session/unsent-text-place.ts'
import { freshConsole, testEnvironment } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { PUT } from './route.ts'

const browser = vi.hoisted(() => ({ handle: '' }))
vi.mock('next/headers', () => ({ cookies: async () => ({ get: () => ({ value: browser.handle }) }) }))

let session: Session

beforeEach(async () => {
  await freshConsole()
  browser.handle = await signInForTest()
  session = await openForTest(browser.handle)
})

async function save(place: string, text: string, by = { page: crypto.randomUUID(), number: 1 }): Promise<Response> {
  const origin = testEnvironment.NEXTAUTH_URL ?? ''
  const headers = { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin, 'content-type': 'application/json' }
  const write = { owner: session.actor, place, text, ...by, base: 0 }
  return await PUT(new Request(`${origin}/api/session/drafts`, { method: 'PUT', headers, body: JSON.stringify(write) }))
}

const CARD = 'card 4111 1111 1111 1111'

test('refuses a card number in a text', async () => {
  const answer = await save(messagePlace('1'), CARD)
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ problem: { title: expect.stringContaining('Remove the card number') } })
  expect((await readUnsentText(session, messagePlace('1'))).text).toBe('')
})

test('removes the first digits of a card number', async () => {
  const page = crypto.randomUUID()
  expect((await save(messagePlace('1'), CARD.slice(0, -4), { page, number: 1 })).status).toBe(200)
  expect((await save(messagePlace('1'), CARD, { page, number: 2 })).status).toBe(422)
  expect((await readUnsentText(session, messagePlace('1'))).text).toBe('')
})

test('saves a bank reference that passes as a card number', async () => {
  expect((await save(depositPlace('DEP~1'), CARD)).status).toBe(200)
  expect((await readUnsentText(session, depositPlace('DEP~1'))).text).toBe(CARD)
})

test('saves a text beside one too long to save', async () => {
  const by = { page: crypto.randomUUID(), number: 1, offered: 'x'.repeat(20_000) }
  expect((await save(messagePlace('1'), 'short', by)).status).toBe(200)
})
