import { type ChildProcess, spawn } from 'node:child_process'
import http, { type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { perProcess } from '#lib/config/per-process.ts'
import { postgresDatabaseUrl } from '#lib/database/test-database.ts'
import { freePort } from '#lib/database/test-postgres.ts'
import { freshConsole } from './test-console.ts'

/** The service as a program of its own, reached over HTTP alone: tests of the console count effects there. */
export interface TestService {
  readonly url: string
  call(method: string, path: string, options?: { readonly token?: string; readonly body?: unknown }): Promise<Json>
  login(email: string): Promise<{ accessToken: string; refreshToken: string; expiresIn: number }>
  /** Announces a deposit for ana; answers its reference. */
  announceDeposit(amount: string): Promise<string>
  fault(method: string, path: string, effect: unknown, times?: number): Promise<void>
  /** Resolves once a `hold` fault keeps so many requests from their operation. */
  held(requests: number): Promise<void>
  /** Removes all faults; held requests go on. */
  clearFaults(): Promise<void>
  /** How often something arrived, by method and path. */
  arrived(method: string, path: string): Promise<number>
  /** The same, of what came after an entry of the service's log; `latest`: its newest entry. */
  arrivedAfter(
    after: number,
    method: string,
    path: string,
  ): Promise<{ readonly count: number; readonly latest: number }>
}

/** Parsed JSON that a test looks into without knowing its shape. */
export interface Json {
  readonly [key: string]: Json
}

const PASSWORD = 'Sandbox-Pass-1'
const HELD_POLL_MS = 10

/** One service for all tests of a worker. It ends with the worker. */
export const testService = (): Promise<TestService> => perProcess('test service', start)

/** The service as it is seeded, and a console with an empty store before it; some of its variables changed. */
export async function freshWorld(change: Readonly<Record<string, string>> = {}): Promise<TestService> {
  const service = await testService()
  await freshConsole({ CORE_API_URL: service.url, ...change })
  await service.call('POST', '/sandbox/reset')
  return service
}

async function start(): Promise<TestService> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['sandbox/main.ts'], {
    env: {
      NODE_ENV: 'test',
      SANDBOX_PORT: String(port),
      // A PostgreSQL store is made and reset in half the time of an embedded one; the sandbox's own tests use both.
      SANDBOX_DATABASE_URL: await postgresDatabaseUrl(),
      SANDBOX_URL: url,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await ready(url, child)
  let ana = await login(url, 'ana@example.com')
  let hasFaults = false
  const call: TestService['call'] = (method, path, options) => {
    hasFaults ||= method === 'POST' && path === '/sandbox/faults'
    return request(url, method, path, options)
  }
  const arrivedAfter: TestService['arrivedAfter'] = async (after, method, path) => {
    let [latest, count] = [after, 0]
    for (;;) {
      const { requests } = (await call('GET', `/sandbox/requests?after=${latest}`)) as unknown as {
        requests: readonly { sequence: number; method: string; path: string }[]
      }
      if (requests.length === 0) return { count, latest }
      count += requests.filter((one) => one.method === method && one.path === path).length
      latest = requests.at(-1)?.sequence ?? latest
    }
  }
  return {
    url,
    call,
    login: (email) => login(url, email),
    async announceDeposit(amount) {
      const body = { amount: JSON.rawJSON(amount), note: 'test' }
      const announce = () => call('POST', '/api/v1/Transaction/deposit', { token: ana.accessToken, body })
      let answer = await announce()
      if (answer.data === undefined) {
        // On a busy machine a worker outlives the access token.
        ana = await login(url, 'ana@example.com')
        answer = await announce()
      }
      if (answer.data === undefined) throw new Error(`no deposit was announced: ${JSON.stringify(answer)}`)
      return String(answer.data.referenceId)
    },
    async fault(method, path, effect, times = 1) {
      await call('POST', '/sandbox/faults', { body: { method, path, effect, times } })
    },
    async held(requests) {
      while (Number((await call('GET', '/sandbox/faults')).heldRequests) < requests) await wait(HELD_POLL_MS)
    },
    async clearFaults() {
      if (hasFaults) await call('DELETE', '/sandbox/faults')
      hasFaults = false
    },
    arrived: async (method, path) => (await arrivedAfter(0, method, path)).count,
    arrivedAfter,
  }
}

/** On a connection of its own: the service may close an idle one at the moment when it is used again. */
async function request(url: string, method: string, path: string, options: { token?: string; body?: unknown } = {}) {
  const body = options.body === undefined ? null : Buffer.from(JSON.stringify(options.body))
  const headers = {
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    // Node sends the body of a DELETE without a length unless one is given.
    ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': body.byteLength }),
  }
  const response = await new Promise<IncomingMessage>((done, fail) => {
    http
      .request(url + path, { method, headers, agent: false }, done)
      .once('error', fail)
      .end(body)
  })
  const answer = await text(response)
  return (answer === '' ? {} : JSON.parse(answer)) as Json
}

async function login(url: string, email: string) {
  const { data } = await request(url, 'POST', '/api/v1/Users/login', { body: { email, password: PASSWORD } })
  return data as unknown as { accessToken: string; refreshToken: string; expiresIn: number }
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`${url}/health`).catch(() => null)
    if (response?.ok) return
    await wait(50)
  }
  throw new Error('the service did not start')
}
