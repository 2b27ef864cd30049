import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { open } from '#lib/database/open.ts'
import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { freePort } from '#lib/database/test-postgres.ts'
import { runs } from '#lib/testing/runs.ts'
import { SEED_PASSWORD, userIdEndingIn } from '#sandbox/seed/people.ts'
import { ledgerFaults } from '#sandbox/testing/ledger-faults.ts'
import { runToItsEnd, type SandboxProcess, startProcess } from '#sandbox/testing/sandbox-process.ts'
import type { Json } from '#sandbox/testing/test-sandbox.ts'
import type { Tables } from '#sandbox/world/tables.ts'

const BEN = userIdEndingIn('012')
const KILLS = runs(2, 1)
const WRITES_BEFORE_A_KILL = 60
const AT_ONCE = 8

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A write that was answered with success: it must be there for ever. */
interface Confirmed {
  readonly referenceId: string
  readonly state: string
}

async function call(url: string, path: string, token?: string, body?: object): Promise<Json> {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Json
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer.data ?? {}
}

const signIn = async (url: string, email: string): Promise<string> =>
  String((await call(url, '/api/v1/Users/login', undefined, { email, password: SEED_PASSWORD })).accessToken)

/** Instant and protected transfers, and deposits with their confirmations, one after the other until nobody answers. */
async function write(url: string, ana: string, operator: string, note: (confirmed: Confirmed) => void): Promise<void> {
  const keep = (answer: Json) => note({ referenceId: String(answer.referenceId), state: String(answer.state) })
  const path = '/api/v1/Transaction'
  try {
    for (;;) {
      keep(await call(url, `${path}/p2p`, ana, { recipientId: BEN, amount: 0.01 }))
      keep(await call(url, `${path}/p2p`, ana, { recipientId: BEN, amount: 0.02, useEscrow: true }))
      const { referenceId } = await call(url, `${path}/deposit`, ana, { amount: 5 })
      keep(await call(url, `${path}/deposit/confirm`, operator, { referenceId, bankReference: 'B-1' }))
    }
  } catch (error) {
    // The connection is gone: what was on its way may have happened or not. An answer that says no is a failure.
    if (!(error instanceof TypeError)) throw error
  }
}

/** Writes from several sides at once, and kills the sandbox in the middle of it. */
async function killInTraffic(sandbox: SandboxProcess, ana: string, operator: string): Promise<readonly Confirmed[]> {
  const confirmed: Confirmed[] = []
  let killed: Promise<void> | undefined
  const note = (write: Confirmed) => {
    confirmed.push(write)
    if (confirmed.length === WRITES_BEFORE_A_KILL) killed = sandbox.end('SIGKILL')
  }
  await Promise.all(Array.from({ length: AT_ONCE }, () => write(sandbox.url, ana, operator, note)))
  await killed
  return confirmed
}

test('killed in the middle of traffic, it starts again by itself with every write that it answered', async () => {
  const given = await testDatabaseUrl()
  const databaseUrl = given === 'memory:' ? `file:${join(folder, 'store')}` : given
  // Its tokens name its address, so it comes back under the same.
  const environment = { SANDBOX_DATABASE_URL: databaseUrl, SANDBOX_PORT: String(await freePort()) }
  const confirmed: Confirmed[] = []
  let sandbox = await startProcess(environment)
  onTestFinished(() => sandbox.end('SIGKILL'))
  const [ana, operator] = await Promise.all(
    ['ana@example.com', 'operator@example.com'].map((email) => signIn(sandbox.url, email)),
  )
  if (ana === undefined || operator === undefined) throw new Error('nobody is signed in')
  for (let kill = 0; kill < KILLS; kill += 1) {
    confirmed.push(...(await killInTraffic(sandbox, ana, operator)))
    sandbox = await startProcess(environment)
  }
  expect(confirmed.length).toBeGreaterThanOrEqual(KILLS * WRITES_BEFORE_A_KILL)
  for (const { referenceId, state } of confirmed) {
    expect(await call(sandbox.url, `/api/v1/Transaction/${referenceId}`, ana)).toMatchObject({ referenceId, state })
  }
  await sandbox.end('SIGTERM')

  const { db, close } = await open<Tables>(databaseUrl)
  expect(await ledgerFaults(db)).toEqual([])
  await close()
}, 120_000)

test('a wrong SANDBOX_SEED stops the start, and is named', async () => {
  const { code, printed } = await runToItsEnd({ SANDBOX_SEED: 'huge', SANDBOX_DATABASE_URL: 'memory:' })
  expect(code).toBe(1)
  expect(printed).toBe('sandbox: SANDBOX_SEED is demo, large, or large:2 to large:20, not "huge".\n')
})
