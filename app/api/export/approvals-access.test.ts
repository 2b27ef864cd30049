import { beforeEach, expect, test, vi } from 'vitest'
import { store } from '#lib/store/store.ts'
import { awaiting, decide } from '#lib/testing/approval-world.ts'
import { testEnvironment } from '#lib/testing/test-console.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { freshWorld, type TestService } from '#lib/testing/test-service.ts'
import { handleOf, signedIn } from '#lib/testing/test-session.ts'
import { GET } from './approvals/route.ts'

const idOf = (end: string) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`

const visitor = vi.hoisted(() => ({ handle: '' }))
vi.mock('next/headers', () => ({ cookies: async () => ({ get: () => ({ value: visitor.handle }) }) }))

let service: TestService
let declined: string

beforeEach(async () => {
  service = await freshWorld()
  underPolicy({ kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, approval: { by: 1 } })
  const maker = await signedIn(service, 'operator@example.com', idOf('1'))
  declined = (await awaiting(service, maker, '600')).id
  await decide(await signedIn(service, 'admin@example.com', idOf('3')), declined, false, '=1+1')
  await awaiting(service, maker, '601')
})

const exported = (query: string, headers: Readonly<Record<string, string>> = {}) =>
  GET(
    new Request(`${testEnvironment.NEXTAUTH_URL}/api/export/approvals?${query}`, {
      headers: { 'x-console': '1', 'sec-fetch-site': 'same-origin', ...headers },
    }),
  )

async function fileFor(email: string, end: string, query: string): Promise<string> {
  visitor.handle = await handleOf(service, email, idOf(end))
  const frames = (await (await exported(query)).text()).trim().split('\n')
  return frames.map((frame) => (JSON.parse(frame) as { text?: string }).text ?? '').join('')
}

const linesIn = (file: string): number => file.trim().split('\r\n').length - 1

test('exports what the person may see, and nothing more', async () => {
  const seen = async (email: string, end: string) =>
    Promise.all(['', 'view=asked', 'view=decided'].map(async (view) => linesIn(await fileFor(email, end, view))))
  expect(await seen('operator@example.com', '1')).toEqual([0, 2, 1])
  expect(await seen('admin@example.com', '3')).toEqual([1, 0, 1])
  expect(await seen('viewer@example.com', '4')).toEqual([0, 0, 0])
  expect(await seen('arbitrator@example.com', '2')).toEqual([0, 0, 0])
})

test('records each export, with its filter and rows', async () => {
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

test('refuses other origins, invalid filters and visitors', async () => {
  visitor.handle = await handleOf(service, 'operator@example.com', idOf('1'))
  expect((await exported('', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  for (const query of ['view=all', 'kind=nothing', 'outcome=x', 'from=never', 'from=today&to=yesterday']) {
    expect((await exported(query)).status, query).toBe(400)
  }
  visitor.handle = 'nobody'
  expect((await exported('')).status).toBe(401)
})

test('makes no file while the scopes cannot be read', async () => {
  visitor.handle = await handleOf(service, 'admin@example.com', idOf('99'))
  for (const view of ['', 'view=decided']) expect((await exported(view)).status, view).toBe(503)
})
