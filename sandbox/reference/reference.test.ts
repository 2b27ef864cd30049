import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '#lib/contract/endpoints.ts'
import { type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import type { OpenApi } from './openapi.ts'

let box: TestSandbox
let document: OpenApi

beforeAll(async () => {
  box = await testSandbox()
  await box.reset()
  document = (await box.call('GET', '/openapi.json')).body as unknown as OpenApi
})

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** A path with something in the place of every parameter. */
const filled = (path: string): string => path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000099')

test('every row of the endpoint table is in the document, and nothing else', () => {
  const rows = Object.values(endpoints).flatMap((resource) => Object.values(resource))
  const listed = operations().map(({ method, path }) => `${method} ${path}`)
  expect(listed.sort()).toEqual(rows.map(({ method, path }) => `${method} ${path}`).sort())
})

test('every operation of the document is answered, and asks for a token exactly where it says so', async () => {
  for (const { method, path, operation } of operations()) {
    const { status, body } = await box.call(method, filled(path), method === 'GET' ? {} : { body: {} })
    const bearer = (operation.security as readonly unknown[]).length > 0
    expect([404, 405, 500].includes(status), `${method} ${path} answered ${status}`).toBe(false)
    expect(status === 401 && body.type === ('urn:ocs:error:core::authentication::required' as never), path).toBe(bearer)
  }
})

test('every scope of the document is asked for: a viewer without it gets 403 naming it', async () => {
  const held = (
    await box.call('GET', '/api/v1/Users/00000000-0000-4000-8000-000000000004/scopes', { as: 'viewer@example.com' })
  ).body.data?.scopes as unknown as readonly string[]
  const request = operations().filter(({ operation }) => typeof operation['x-scope'] === 'string')
  const refused = request.filter(({ operation }) => !held.includes(String(operation['x-scope']).replace('core:', '')))
  expect(refused.length).toBeGreaterThan(8)
  for (const { method, path, operation } of refused) {
    const answer = await box.call(method, filled(path), {
      as: 'viewer@example.com',
      ...(method === 'GET' ? {} : { body: {} }),
    })
    expect([answer.status, String(answer.body.title).includes(String(operation['x-scope']))], path).toEqual([403, true])
  }
})

test('money is a number in requests and text in answers; chosen fields are listed', () => {
  const text = JSON.stringify(document.paths['/api/v1/Transaction/p2p'])
  expect(text).toContain('"amount":{"type":"number"}')
  expect(text).toContain('"recipientId"')
  expect(JSON.stringify(document.paths['/api/v1/Transaction/{referenceId}'])).toContain('"credit":{"type":"string"')
})

test('terminals are listed by their merchant alone', () => {
  const parameters = document.paths['/api/v1/merchant-terminals']?.get?.parameters
  expect(parameters).toEqual([{ name: 'merchantId', in: 'query', required: false, schema: { type: 'string' } }])
})

test('the reference page lists every operation', async () => {
  const page = await (await fetch(`${box.url}/reference`)).text()
  for (const { method, path } of operations()) expect(page).toContain(`${method} ${path}`)
})
