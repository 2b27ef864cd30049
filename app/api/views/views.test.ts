import { beforeEach, expect, test, vi } from 'vitest'
import type { ViewedTable } from '#lib/authorization/table.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole, testEnvironment } from '#lib/testing/test-console.ts'
import { type TestService, testService } from '#lib/testing/test-service.ts'
import { handleOf, signedIn } from '#lib/testing/test-session.ts'
import { viewsOfTable } from '../../saved-views/views-of-table.ts'
import { DELETE, PUT } from './[id]/route.ts'
import { POST } from './route.ts'

const people = {
  operator: '00000000-0000-4000-8000-000000000001',
  arbitrator: '00000000-0000-4000-8000-000000000002',
  viewer: '00000000-0000-4000-8000-000000000004',
} as const
type Person = keyof typeof people

/** The session that asks: its handle stands in the cookie of the request. */
const visitor = vi.hoisted(() => ({ handle: '' }))
vi.mock('next/headers', () => ({ cookies: async () => ({ get: () => ({ value: visitor.handle }) }) }))

let service: TestService

beforeEach(async () => {
  service = await testService()
  await freshConsole({ CORE_API_URL: service.url })
  await service.call('POST', '/sandbox/reset')
})

async function as(person: Person): Promise<void> {
  visitor.handle = await handleOf(service, `${person}@example.com`, people[person])
}

const request = (method: string, path: string, body: unknown) =>
  new Request(`${testEnvironment.NEXTAUTH_URL}${path}`, {
    method,
    headers: {
      'x-console': '1',
      'sec-fetch-site': 'same-origin',
      origin: testEnvironment.NEXTAUTH_URL ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })

const STATE = { query: { age: 'older', claim: 'unassigned' }, hidden: ['amount'], density: 'compact' }

interface Wanted {
  table?: ViewedTable
  name?: string
  shared?: boolean
  state?: unknown
}

const save = async ({ table = 'dispute-queue', name = 'Old ones', shared = false, state = STATE }: Wanted = {}) => {
  const response = await POST(request('POST', '/api/views', { table, name, shared, state }))
  return { status: response.status, body: (await response.json()) as { id: string; problem?: { title: string } } }
}
const change = async (id: string, body: unknown) =>
  (await PUT(request('PUT', `/api/views/${id}`, body), { params: Promise.resolve({ id }) })).status
const remove = async (id: string) =>
  (await DELETE(request('DELETE', `/api/views/${id}`, {}), { params: Promise.resolve({ id }) })).status

async function seenBy(person: Person, table: ViewedTable = 'dispute-queue') {
  const views = await viewsOfTable(await signedIn(service, `${person}@example.com`, people[person]), table)
  return views.map(({ name, by, mayChange, mayRemove }) => ({ name, by, mayChange, mayRemove }))
}

test('refuses a change that changes nothing', async () => {
  await as('operator')
  const { body } = await save({ shared: true })
  expect(await change(body.id, {})).toBe(400)
})

test('an own view is there for its maker alone: nobody else sees, changes or removes it', async () => {
  await as('arbitrator')
  const { status, body } = await save()
  expect(status).toBe(200)
  expect(await seenBy('arbitrator')).toEqual([{ name: 'Old ones', by: null, mayChange: true, mayRemove: true }])
  for (const other of ['operator', 'viewer'] as const) {
    await as(other)
    expect(await seenBy(other)).toEqual([])
    expect(await change(body.id, { name: 'Mine now' })).toBe(404)
    expect(await remove(body.id)).toBe(200)
  }
  await as('arbitrator')
  expect(await seenBy('arbitrator')).toMatchObject([{ name: 'Old ones' }])
  expect(await change(body.id, { name: 'Older ones', state: { ...STATE, hidden: [] } })).toBe(200)
  expect(await seenBy('arbitrator')).toMatchObject([{ name: 'Older ones' }])
  for (const _repeated of [1, 2]) expect(await remove(body.id)).toBe(200)
  expect(await seenBy('arbitrator')).toEqual([])
})

test('lets everybody see a shared view, and few change it', async () => {
  await as('viewer')
  const { body } = await save({ shared: true })
  expect(await seenBy('operator')).toEqual([
    { name: 'Old ones', by: 'viewer@example.com', mayChange: false, mayRemove: false },
  ])
  expect(await seenBy('arbitrator')).toEqual([
    { name: 'Old ones', by: 'viewer@example.com', mayChange: true, mayRemove: true },
  ])
  await as('operator')
  expect(await change(body.id, { name: 'x' })).toBe(403)
  expect(await remove(body.id)).toBe(403)
  await as('arbitrator')
  expect(await change(body.id, { name: 'Tidied' })).toBe(200)
  expect(await seenBy('viewer')).toEqual([{ name: 'Tidied', by: null, mayChange: true, mayRemove: true }])
})

test('lets an administrator remove a shared view, and no more', async () => {
  await freshConsole({ CORE_API_URL: service.url, STAFF_ADMIN_SCOPES: 'core:transactions:confirm' })
  await as('viewer')
  const { body } = await save({ shared: true })
  const { body: own } = await save({ name: 'Of my own' })
  expect(await seenBy('operator')).toMatchObject([{ name: 'Old ones', mayChange: false, mayRemove: true }])
  await as('operator')
  expect(await change(body.id, { name: 'x' })).toBe(403)
  expect(await remove(own.id)).toBe(200)
  for (const _repeated of [1, 2]) expect(await remove(body.id)).toBe(200)
  expect(await seenBy('viewer')).toMatchObject([{ name: 'Of my own' }])
  const entries = await (await store())
    .selectFrom('audit_entry')
    .selectAll()
    .where('kind', '=', 'view.remove')
    .execute()
  expect(entries).toMatchObject([{ actor: `sso:${people.operator}`, about: body.id }])
  expect(JSON.parse(entries[0]?.facts ?? '')).toMatchObject({ owner: 'viewer@example.com', view: 'Old ones' })
})

test('of a table that a person does not see they see, make and change no view', async () => {
  const state = { query: { show: 'ready' }, hidden: [], density: 'normal' }
  await as('operator')
  const { body } = await save({ table: 'statement-lines', shared: true, state })
  expect(await seenBy('operator', 'statement-lines')).toHaveLength(1)
  await as('viewer')
  expect(await seenBy('viewer', 'statement-lines')).toEqual([])
  expect((await save({ table: 'statement-lines', state })).status).toBe(403)
  expect([await change(body.id, { name: 'x' }), await remove(body.id)]).toEqual([404, 200])
  expect(await seenBy('operator', 'statement-lines')).toHaveLength(1)
})

test('no view is told as removed while scopes cannot be read', async () => {
  await as('operator')
  const state = { query: { show: 'ready' }, hidden: [], density: 'normal' }
  const { body } = await save({ table: 'statement-lines', shared: true, state })
  await service.fault('GET', '/api/v1/Users/{id}/scopes', { status: 503 }, 10)
  putPerProcess('scopes', undefined)
  expect(await remove(body.id)).toBe(403)
})

test('what is no name or no state of the table is refused in words, and nothing is kept', async () => {
  await as('arbitrator')
  const words = async (wanted: Wanted) => {
    const { status, body } = await save(wanted)
    return [status, body.problem?.title]
  }
  expect(await words({ name: ' ' })).toEqual([400, 'Enter a name for the view.'])
  expect(await words({ state: { ...STATE, query: { find: 'Ana' } } })).toEqual([
    400,
    'A view cannot save the filter find “Ana”. Clear it first.',
  ])
  expect(await words({ state: 'all' })).toEqual([400, 'Invalid table settings.'])
  expect(await words({ table: 'constructor' as ViewedTable })).toEqual([400, 'Table not found.'])
  expect(await seenBy('arbitrator')).toEqual([])
  await save()
  expect(await words({ name: 'OLD ones' })).toEqual([
    409,
    'Another view of this table has this name. Choose a different name.',
  ])
})

test('a view that was kept in another form, or with what is gone, is there with what remains', async () => {
  await as('arbitrator')
  const { body } = await save()
  const db = await store()
  const keep = (state: string) => db.updateTable('saved_view').set({ state }).where('id', '=', body.id).execute()
  await keep(JSON.stringify({ ...STATE, hidden: ['amount', 'weight'] }))
  const session = await signedIn(service, 'arbitrator@example.com', people.arbitrator)
  expect(await viewsOfTable(session, 'dispute-queue')).toMatchObject([
    { ...STATE, hidden: ['amount'], gone: ['the column “weight”'] },
  ])
  await keep('no JSON')
  expect(await viewsOfTable(session, 'dispute-queue')).toMatchObject([
    { query: {}, hidden: [], gone: ['all its settings'] },
  ])
})
