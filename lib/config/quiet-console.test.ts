import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
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

const LIKE_NEXT = `
  import { log, quietConsole } from ${JSON.stringify(resolve('lib/config/log.ts'))}
  let uncaught = 0
  process.on('uncaughtException', (error) => {
    uncaught += 1
    console.error(error)
  })
  quietConsole()`

async function run(work: string, output: number | 'pipe'): Promise<unknown[]> {
  const args = ['--conditions=react-server', '--input-type=module', '-e', `${LIKE_NEXT}\n${work}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', output, 'pipe'], timeout: 10_000 })
  const code = new Promise((done) => child.once('exit', done))
  return await Promise.all([code, child.stderr === null ? '' : text(child.stderr)])
}

test.each([
  ['a full disk', openSync('/dev/full', 'w')],
  ['a pipe that nobody reads', 'pipe'],
] as const)('%s neither stops nor delays the process', async (_name, output) => {
  const work = `for (let n = 0; n < 1_000; n += 1) log().warn({ event: 'maintenance', long: 'long'.repeat(100) })
    await new Promise((done) => setTimeout(done, 100))
    process.stderr.write(String(uncaught))`
  expect(await run(work, output)).toEqual([0, '0'])
  expect(await run(`${work}\nprocess.exit()`, output)).toEqual([0, '0'])
})

test('goes on once a full pipe is read again', async () => {
  const work = `for (let n = 0; n < 4_000; n += 1) log().info({ long: 'long'.repeat(100) })
    process.stderr.write('full')
    setInterval(() => log().info({ later: true }), 20)`
  const args = ['--conditions=react-server', '--input-type=module', '-e', `${LIKE_NEXT}\n${work}`]
  const child = spawn(process.execPath, args, { timeout: 10_000 })
  await once(child.stderr, 'data')
  let printed = ''
  for await (const part of child.stdout.setEncoding('utf8')) {
    printed += part
    if (printed.includes('"later":true')) break
  }
  child.kill()
  expect(printed).toContain('"later":true')
})

test('writes all lines before the process exits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-log-'))
  const file = join(folder, 'console.log')
  await run('for (let n = 0; n < 1_000; n += 1) log().info({ n })\nprocess.exit()', openSync(file, 'a'))
  expect(readFileSync(file, 'utf8').match(/"n":\d+\}\n/g)).toHaveLength(1_000)
  rmSync(folder, { recursive: true })
})
