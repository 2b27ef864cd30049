import { beforeAll, describe, expect, test } from 'vitest'
import { configureForTest } from '#lib/testing/test-console.ts'
import { foreignRequest, readAnyJson, readJson, refusedBody, refusedForm } from './request-guards.ts'

beforeAll(() => {
  configureForTest()
})

const OWN = {
  'x-console': '1',
  'sec-fetch-site': 'same-origin',
  origin: 'http://localhost:3000',
  'content-type': 'application/json',
}

interface RequestOptions {
  readonly method?: string
  readonly body?: string | ReadableStream
  readonly headers?: Readonly<Record<string, string | null>>
}

function request({ method = 'POST', body, headers = {} }: RequestOptions = {}): Request {
  const given = Object.entries({ ...OWN, ...headers }).filter((pair): pair is [string, string] => pair[1] !== null)
  const init = { method, headers: given, ...(body === undefined ? {} : { body, duplex: 'half' }) }
  return new Request('http://localhost:3000/api/x', init)
}

describe('a request of another page is refused', () => {
  test.each<[string, RequestOptions, string | null]>([
    ['our own', {}, null],
    ['our own, reading', { method: 'GET', headers: { origin: null } }, null],
    ['without X-Console', { headers: { 'x-console': null } }, 'the header X-Console is missing'],
    ['with another X-Console', { headers: { 'x-console': 'true' } }, 'the header X-Console is missing'],
    ['from another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 'the request comes from another site'],
    ['from a sister site', { headers: { 'sec-fetch-site': 'same-site' } }, 'the request comes from another site'],
    ['typed by a person', { headers: { 'sec-fetch-site': 'none' } }, 'the request comes from another site'],
    ['that does not say', { headers: { 'sec-fetch-site': null } }, 'the request comes from another site'],
    ['of another origin', { headers: { origin: 'https://evil.example' } }, 'the origin is not this console'],
    ['of a hidden origin', { headers: { origin: 'null' } }, 'the origin is not this console'],
    ['of another port', { headers: { origin: 'http://localhost:3001' } }, 'the origin is not this console'],
    ['that changes and names no origin', { headers: { origin: null } }, 'the origin is missing'],
    ['that deletes and names no origin', { method: 'DELETE', headers: { origin: null } }, 'the origin is missing'],
  ])('%s', (_what, options, why) => {
    expect(foreignRequest(request(options))).toBe(why)
  })
})

const KIB = 1024

test.each<[string, RequestOptions, 413 | 415 | null]>([
  ['JSON', { body: '{}', headers: { 'content-length': '2' } }, null],
  ['JSON with a character set', { body: '{}', headers: { 'content-type': 'application/json; charset=utf-8' } }, null],
  ['nothing', { headers: { 'content-type': null, 'content-length': '0' } }, null],
  ['64 KiB', { headers: { 'content-length': String(64 * KIB) } }, null],
  ['a byte more', { headers: { 'content-length': String(64 * KIB + 1) } }, 413],
  ['a length that is none', { headers: { 'content-length': 'much' } }, 413],
  ['text', { headers: { 'content-type': 'text/plain', 'content-length': '2' } }, 415],
  ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '2' } }, 415],
  ['what sounds like JSON', { headers: { 'content-type': 'application/jsonp', 'content-length': '2' } }, 415],
  ['a body of no type', { headers: { 'content-type': null, 'content-length': '2' } }, 415],
  ['a body of no type and no length', { headers: { 'content-type': null, 'transfer-encoding': 'chunked' } }, 415],
])('a body of %s', (_what, options, status) => {
  expect(refusedBody(request(options))).toBe(status)
})

/** JSON of so many bytes that comes without a length in the headers. */
const stream = (bytes: number): ReadableStream => new Blob(['1'.padEnd(bytes)]).stream()

test('a body is read up to the limit, however it was sent', async () => {
  expect(await readJson(request({ body: '{"a":1}' }))).toEqual({ body: { a: 1 } })
  expect(await readJson(request({ body: '{"a":' }))).toBeNull()
  expect(await readJson(request({ body: stream(64 * KIB) }))).toEqual({ body: 1 })
  expect(await readJson(request({ body: stream(64 * KIB + 1) }))).toBeNull()
})

const NUL_BODIES = ['"a\\u0000b"', '{"a":[{"b":"\\u0000"}]}', '{"\\u0000":1}', '["\\ud800"]']

test.each(NUL_BODIES)(
  '%s holds what the store cannot hold, and is for those alone who say so of each field',
  async (body) => {
    expect(await readJson(request({ body }))).toBeNull()
    expect(await readAnyJson(request({ body }))).toEqual({ body: JSON.parse(body) })
  },
)

test('however a body is sent, no more of it is read than its bound', async () => {
  let given = 0
  const endless = new ReadableStream({
    pull(controller) {
      given += KIB
      controller.enqueue(new Uint8Array(KIB).fill(0x20))
    },
  })
  expect(await readJson(request({ body: endless }))).toBeNull()
  expect(given).toBeLessThan(70 * KIB)
})

test.each<[string, RequestOptions, 403 | 413 | null]>([
  ['our own page', { headers: { 'x-console': null } }, null],
  ['a program', { headers: { 'sec-fetch-site': null, origin: null } }, 403],
  ['a page that does not say from where', { headers: { 'sec-fetch-site': null } }, 403],
  ['a hidden origin', { headers: { origin: 'null' } }, 403],
  ['no origin', { headers: { origin: null } }, 403],
  ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
  ['a sister site', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
  ['another origin', { headers: { origin: 'https://evil.example' } }, 403],
  ['our own page, 64 KiB', { headers: { 'content-length': String(64 * KIB) } }, null],
  ['our own page, a byte more', { headers: { 'content-length': String(64 * KIB + 1) } }, 413],
])('a form of %s', (_what, options, status) => {
  expect(refusedForm(request(options))).toBe(status)
})
