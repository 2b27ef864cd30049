import { expect, vi } from 'vitest'
import { testEnvironment } from '#lib/testing/test-console.ts'
import { handleOf } from '#lib/testing/test-session.ts'
import { serviceTest as test, userIdOf } from '#lib/testing/test-worlds.ts'
import { GET } from './activity/route.ts'

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

test('names a filtered file so', async ({ service }) => {
  visitor.handle = await handleOf(service, 'admin@example.com', userIdOf('3'))
  expect(await (await exported('person=me')).text()).toMatch(/"fileName":"activity-filtered-[\d-]+\.csv"/)
  expect(await (await exported('')).text()).toMatch(/"fileName":"activity-\d[\d-]+\.csv"/)
})
