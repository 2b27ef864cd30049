import { expect, vi } from 'vitest'
import { store } from '#lib/store/store.ts'
import { awaiting, decide } from '#lib/testing/approval-world.ts'
import { testEnvironment } from '#lib/testing/test-console.ts'
import { handleOf } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { GET } from './approvals/route.ts'

const visitor = vi.hoisted(() => ({ handle: '' }))
vi.mock('next/headers', () => ({ cookies: async () => ({ get: () => ({ value: visitor.handle }) }) }))

const test = serviceTest
  .extend('rules', [{ kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, approval: { by: 1 } }])
  .extend('maker', ({ operator }) => operator)
  .extend('declined', async ({ service, maker }) => (await awaiting(service, maker, '600')).id)
  .extend('fileFor', ({ service }) => async (email: string, end: string, query: string): Promise<string> => {
    visitor.handle = await handleOf(service, email, userIdOf(end))
    const frames = (await (await exported(query)).text()).trim().split('\n')
    return frames.map((frame) => (JSON.parse(frame) as { text?: string }).text ?? '').join('')
  })

test.beforeEach(async ({ service, admin, maker, declined }) => {
  await decide(admin, declined, false, '=1+1')
  await awaiting(service, maker, '601')
})

const exported = (query: string, headers: Readonly<Record<string, string>> = {}) =>
  GET(
    new Request(`${testEnvironment.NEXTAUTH_URL}/api/export/approvals?${query}`, {
      headers: { 'x-console': '1', 'sec-fetch-site': 'same-origin', ...headers },
    }),
  )

const linesIn = (file: string): number => file.trim().split('\r\n').length - 1

test('exports what the person may see, and nothing more', async ({ fileFor }) => {
  const seen = async (email: string, end: string) =>
    Promise.all(['', 'view=requested', 'view=decided'].map(async (view) => linesIn(await fileFor(email, end, view))))
  expect(await seen('operator@example.com', '1')).toEqual([0, 2, 1])
  expect(await seen('admin@example.com', '3')).toEqual([1, 0, 1])
  expect(await seen('viewer@example.com', '4')).toEqual([0, 0, 0])
  expect(await seen('arbitrator@example.com', '2')).toEqual([0, 0, 0])
})

test('records each export, with its filter and rows', async ({ declined, fileFor }) => {
  expect(await fileFor('operator@example.com', '1', 'view=decided&outcome=declined')).toContain(declined)
  const [entry] = await (await store())
    .selectFrom('audit_entry')
    .selectAll()
    .where('kind', '=', 'export.approvals')
    .execute()
  expect(JSON.parse(entry?.facts ?? '{}')).toEqual({
    ...{ rows: 1, end: 'whole', filter: 'view=decided&outcome=declined' },
  })
})

test('refuses other origins, invalid filters and visitors', async ({ service }) => {
  visitor.handle = await handleOf(service, 'operator@example.com', userIdOf('1'))
  expect((await exported('', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  for (const query of ['view=all', 'kind=nothing', 'outcome=x', 'from=never', 'from=today&to=yesterday']) {
    expect((await exported(query)).status, query).toBe(400)
  }
  visitor.handle = 'nobody'
  expect((await exported('')).status).toBe(401)
})

test('makes no file while the scopes cannot be read', async ({ service }) => {
  visitor.handle = await handleOf(service, 'admin@example.com', userIdOf('99'))
  for (const view of ['', 'view=decided']) expect((await exported(view)).status, view).toBe(503)
})
