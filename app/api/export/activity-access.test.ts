import { expect, vi } from 'vitest'
import { testEnvironment } from '#lib/testing/test-console.ts'
import { handleOf, signedInUnread } from '#lib/testing/test-session.ts'
import { serviceTest as test, userIdOf } from '#lib/testing/test-worlds.ts'
import type { ExportFrame } from '#lib/values/csv.ts'
import { GET } from './activity/route.ts'
import { whileScopesRead } from './frames.ts'

const visitor = vi.hoisted(() => ({ handle: '' }))
vi.mock('next/headers', () => ({ cookies: async () => ({ get: () => ({ value: visitor.handle }) }) }))

const exported = (query: string) =>
  GET(
    new Request(`${testEnvironment.NEXTAUTH_URL}/api/export/activity?${query}`, {
      headers: { 'x-console': '1', 'sec-fetch-site': 'same-origin' },
    }),
  )

test('makes no file while the scopes cannot be read', async ({ service }) => {
  await service.fault('GET', '/api/v1/Users/{id}/scopes', { status: 503 }, 10)
  visitor.handle = await handleOf(service, 'admin@example.com', userIdOf('3'))
  const answer = await exported('format=csv')
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ problem: { title: expect.stringContaining('would be missing') } })
})

test.for(['csv', 'json'])('exports %s with known scopes', async (format, { service }) => {
  visitor.handle = await handleOf(service, 'admin@example.com', userIdOf('3'))
  const answer = await exported(`format=${format}`)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('"kind":"end"')
})

test('ends without a whole file when scopes lapse', async ({ service }) => {
  async function* frames(): AsyncGenerator<ExportFrame, void, undefined> {
    yield { kind: 'start', fileName: 'activity.csv', text: '' }
    yield { kind: 'rows', text: '', rows: 0, total: 0 }
    yield { kind: 'end', text: '', rows: 0, unreadable: 0, cut: false }
  }
  const kinds: string[] = []
  const unread = await signedInUnread(service, 'admin@example.com')
  for await (const { kind } of whileScopesRead(unread, frames())) kinds.push(kind)
  expect(kinds).toEqual(['start', 'problem'])
})

test('names a filtered file so', async ({ service }) => {
  visitor.handle = await handleOf(service, 'admin@example.com', userIdOf('3'))
  expect(await (await exported('person=me')).text()).toMatch(/"fileName":"activity-filtered-[\d-]+\.csv"/)
  expect(await (await exported('')).text()).toMatch(/"fileName":"activity-\d[\d-]+\.csv"/)
})
