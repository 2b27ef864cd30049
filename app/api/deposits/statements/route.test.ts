import { beforeEach, expect, test, vi } from 'vitest'
import { CHANGES_MAX } from '#lib/commands/rate-limit.ts'
import { insertDraft } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole, testEnvironment } from '#lib/testing/test-console.ts'
import { testService } from '#lib/testing/test-service.ts'
import { handleOf } from '#lib/testing/test-session.ts'
import { csvOf, MAPPING } from '#lib/testing/test-statement.ts'
import { POST as edit } from './[id]/lines/[number]/route.ts'
import { DELETE as discard, POST as restore } from './[id]/route.ts'
import { DELETE as stop, POST as work } from './[id]/work/route.ts'
import { POST } from './route.ts'

const OPERATOR = '00000000-0000-4000-8000-000000000001'

const visitor = vi.hoisted(() => ({ handle: '' }))
vi.mock('next/headers', () => ({ cookies: async () => ({ get: () => ({ value: visitor.handle }) }) }))

const origin = testEnvironment.NEXTAUTH_URL ?? ''
const guards = { 'x-console': '1', 'sec-fetch-site': 'same-origin', origin }

beforeEach(async () => {
  const service = await testService()
  await freshConsole({ CORE_API_URL: service.url })
  visitor.handle = await handleOf(service, 'operator@example.com', OPERATOR)
})

test.each(['', 'x', 'a\u0000'])('previews a file that replaces %j as a new one', async (replaces) => {
  const body = new FormData()
  body.set('file', new File([new Uint8Array(csvOf([{}, { reference: 'A', amount: '-10.00' }]))], 'July.csv'))
  body.set('mapping', JSON.stringify(MAPPING))
  body.set('replaces', replaces)
  const answer = await POST(new Request(`${origin}/api/deposits/statements`, { method: 'POST', headers: guards, body }))
  expect(await answer.json()).toMatchObject({ ok: true, imported: { kind: 'preview' } })
})

test('refuses statements beyond the limit, except one that counts', async () => {
  const actor = `sso:${OPERATOR}`
  const change = { kind: 'statement.edit-line', actor, actorName: '', target: '', params: '{}', facts: '{}' }
  const [counted, other] = [crypto.randomUUID(), crypto.randomUUID()]
  for (let n = 0; n < CHANGES_MAX; n += 1) {
    await insertDraft(await store(), {
      id: crypto.randomUUID(),
      ...change,
      batch: n === 0 ? counted : `statement ${n}`,
    })
  }
  const statusOf = async (serve: typeof edit, method: string, path: string, body: FormData | object = {}) => {
    const isForm = body instanceof FormData
    const headers = isForm ? guards : { ...guards, 'content-type': 'application/json' }
    const sent = { method, headers, body: isForm ? body : JSON.stringify(body) }
    const [id = '', , number = ''] = path.split('/').slice(1)
    const request = new Request(`${origin}/api/deposits/statements${path}`, sent)
    return (await serve(request, { params: Promise.resolve({ id, number }) })).status
  }
  const [putBack, run] = [{ act: 'put-back' }, { work: 'confirm', seal: '' }]
  expect([
    await statusOf(POST, 'POST', '', new FormData()),
    await statusOf(restore, 'POST', `/${other}`),
    await statusOf(discard, 'DELETE', `/${other}`),
    await statusOf(edit, 'POST', `/${other}/lines/1`, putBack),
    await statusOf(work, 'POST', `/${counted}/work`, run),
  ]).toEqual([429, 429, 429, 429, 429])
  expect(await statusOf(edit, 'POST', `/${counted}/lines/1`, putBack)).toBe(409)
  expect(await statusOf(work, 'POST', `/${other}/work`, { work: 'look', scope: 'all' })).toBe(404)
  expect(await statusOf(stop, 'DELETE', `/${other}/work`, { run: 1 })).toBe(404)
})
