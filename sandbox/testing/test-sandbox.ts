import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts'
import { emailOf, people, SEED_PASSWORD } from '#sandbox/seed/people.ts'

export interface Answered {
  readonly status: number
  readonly body: Json
  readonly headers: Headers
}

/** Parsed JSON that a test looks into without knowing its shape. */
export interface Json {
  readonly [key: string]: Json | undefined
}

export interface TestRequest {
  /** E-mail address of who asks, or a token; nobody when left out. */
  readonly as?: string
  readonly body?: unknown
  /** Sent as it is, in place of `body`. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestSandbox {
  readonly sandbox: Sandbox
  readonly url: string
  call(method: string, path: string, request?: TestRequest): Promise<Answered>
  /** An access token by `Users/login`. */
  token(email: string): Promise<string>
  /** Gives users other roles. */
  give(roles: string, ...userIds: readonly string[]): Promise<void>
  advance(seconds: number): Promise<void>
  reset(): Promise<void>
}

const ACCESS_TOKEN_SECONDS = 600
const seeded = new Set(people.map(emailOf))
const TOKEN_KEPT_MS = 300_000

/** What the KYC partner of the tests signs with. */
export const KYC_SECRET = 'the-kyc-secret-of-the-tests'

const shared = globalThis as typeof globalThis & { testSandbox?: Promise<TestSandbox> }

/** One sandbox for all tests of a worker, since opening a database takes seconds. Tests reset it first. */
export function testSandbox(): Promise<TestSandbox> {
  shared.testSandbox ??= start()
  return shared.testSandbox
}

async function start(): Promise<TestSandbox> {
  const sandbox = await startSandbox({
    databaseUrl: await testDatabaseUrl(),
    seed: 'demo',
    host: '127.0.0.1',
    port: 0,
    baseUrl: 'http://localhost:4010',
    consoleUrl: 'http://localhost:3000',
    consoleSecret: 'sandbox-console-secret',
    accessTokenSeconds: ACCESS_TOKEN_SECONDS,
    kycSecret: KYC_SECRET,
  })
  const url = `http://127.0.0.1:${sandbox.port}`
  /** They outlive a reset: a token names a user, and every seeded world has the same ones. */
  const tokens = new Map<string, { readonly text: string; readonly issuedAt: number }>()

  async function call(method: string, path: string, request: TestRequest = {}): Promise<Answered> {
    const bearer = request.as?.includes('@') ? await token(request.as) : request.as
    const text = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(text === undefined ? {} : { body: text }),
    })
    const answer = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: (answer === '' ? null : JSON.parse(answer)) as Json,
    }
  }

  async function token(email: string): Promise<string> {
    const known = tokens.get(email)
    if (known !== undefined && performance.now() - known.issuedAt < TOKEN_KEPT_MS) return known.text
    const { body } = await call('POST', '/api/v1/Users/login', { body: { email, password: SEED_PASSWORD } })
    const issued = String(body.data?.accessToken)
    tokens.set(email, { text: issued, issuedAt: performance.now() })
    return issued
  }

  return {
    sandbox,
    url,
    call,
    token,
    async give(roles, ...userIds) {
      const { db, tokenUsers } = sandbox.world
      await db.updateTable('app_user').set({ roles }).where('id', 'in', userIds).execute()
      tokenUsers.forgetAll()
    },
    async advance(advanceSeconds) {
      await call('POST', '/sandbox/clock', { body: { advanceSeconds } })
    },
    async reset() {
      for (const email of tokens.keys()) if (!seeded.has(email)) tokens.delete(email)
      const { status } = await call('POST', '/sandbox/reset')
      if (status !== 200) throw new Error(`the reset was answered ${status}`)
    },
  }
}
