import { Writable } from 'node:stream'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { logRequestError, quietConsole } from './log.ts'
import { putPerProcess } from './per-process.ts'

const before = ['error', 'warn'].map((name): [string, unknown] => [name, Reflect.get(globalThis.console, name)])
let printed = ''

afterEach(() => {
  Object.assign(globalThis.console, Object.fromEntries(before))
  putPerProcess('log', undefined)
  printed = ''
})

function keepLog(): void {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      printed += chunk
      done()
    },
  })
  putPerProcess('log', pino({ base: null }, sink))
}

/** As the framework does, at whatever stands there by then. */
const frameworkPrints = (name: 'error' | 'warn', ...given: unknown[]): void =>
  Reflect.get(globalThis.console, name)(...given)

const failed = (): Error =>
  Object.assign(new TypeError('INSERT INTO text_draft VALUES (a secret)\n  at a secret too'), { digest: '1234' })

test('an error that the framework prints is told by its name and place, without its message', () => {
  keepLog()
  quietConsole()
  frameworkPrints('error', '⨯', failed(), 'params: a secret')
  frameworkPrints('warn', failed())
  frameworkPrints('error', 'Failed to handle /users/a-secret')
  expect(printed).toContain('"error":"TypeError"')
  expect(printed).toContain('"digest":"1234"')
  expect(printed).toMatch(/quiet-console\.test\.ts:\d+/)
  expect(printed).not.toContain('secret')
})

test('prints only names of errors that are words', () => {
  keepLog()
  quietConsole()
  const named = Object.assign(new Error('x'), { name: 'Bearer secret' })
  frameworkPrints('error', named)
  logRequestError(named, { route: '/users/[id]', kind: 'render' })
  expect(printed).not.toContain('secret')
  expect(printed.match(/"error":"error"/g)).toHaveLength(2)
})

test('prints no lines of messages that look like places', () => {
  keepLog()
  quietConsole()
  frameworkPrints('error', new Error('no answer of\n    at https://idp.example.com/?code=secret:1:1'))
  expect(printed).not.toContain('secret')
  expect(printed).toMatch(/quiet-console\.test\.ts:\d+/)
})

test('a failed request is told by its digest and route', () => {
  keepLog()
  logRequestError(failed(), { route: '/users/[id]', kind: 'render' })
  expect(JSON.parse(printed)).toMatchObject({
    event: 'request-error',
    route: '/users/[id]',
    error: 'TypeError',
    digest: '1234',
  })
  expect(printed).not.toContain('secret')
})

test('prints nothing of a client that goes away while it sends', () => {
  keepLog()
  quietConsole()
  const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  frameworkPrints('error', aborted)
  logRequestError(aborted, { route: '/api/commands', kind: 'route' })
  expect(printed).toBe('')
})
