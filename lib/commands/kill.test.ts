import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { config } from '#lib/config/config.ts'
import { store } from '#lib/store/store.ts'
import type { Order } from '#lib/testing/command-process.ts'
import { runs } from '#lib/testing/runs.ts'
import { testEnvironment } from '#lib/testing/test-console.ts'
import { freshWorld, type TestService } from '#lib/testing/test-service.ts'
import { handleOf, signedIn } from '#lib/testing/test-session.ts'
import { findOpen } from './command-lists.ts'
import type { CommandRow } from './command-table.ts'
import { maintain } from './maintenance.ts'
import { reconcileCommand } from './reconcile.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const OPERATOR = '00000000-0000-4000-8000-000000000001'
const KILLS = runs(100)
const AT_ONCE = 5
/** While the service takes this long, a process is killed before, in and after its call. */
const SERVICE_DELAY_MS = 400
/** What a process says last before it is killed, in turn. */
const STEPS = ['ready', 'drafted', 'drafted', 'drafted', 'told'] as const

let service: TestService

beforeAll(async () => {
  service = await freshWorld()
  await service.fault('POST', CONFIRM, { delayMs: SERVICE_DELAY_MS }, KILLS)
})

/** Runs a console process that confirms a deposit, and kills it some time after it has said that it got so far. */
function killedAfter(step: (typeof STEPS)[number], milliseconds: number, order: Order): Promise<void> {
  return new Promise((done) => {
    const args = ['--conditions=react-server', 'lib/testing/command-process.ts', JSON.stringify(order)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (data: Buffer) => {
      said += data
      if (said.includes(step)) void wait(milliseconds).then(() => child.kill('SIGKILL'))
    })
    child.once('exit', () => done())
  })
}

test(`a console process killed at any step, ${KILLS} times: nothing is lost, nothing is sent twice`, {
  timeout: 300_000,
}, async () => {
  const before = await service.arrived('POST', CONFIRM)
  const handle = await handleOf(service, 'operator@example.com', OPERATOR)
  const environment = { ...testEnvironment, CORE_API_URL: service.url, DATABASE_URL: config().databaseUrl }
  const references: string[] = []
  for (let start = 0; start < KILLS; start += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_unused, index) => {
        const reference = await service.announceDeposit('10')
        references.push(reference)
        const later = (start / KILLS) * SERVICE_DELAY_MS
        const params = { referenceId: reference, bankReference: randomUUID(), statementAmount: '10' }
        const order: Order = { environment, handle, kind: 'deposit.confirm', params }
        await killedAfter(STEPS[index] ?? 'ready', later, order)
      }),
    )
  }
  const db = await store()
  const commands = () => db.selectFrom('command').selectAll().where('target', 'in', references).execute()
  // A living process takes over what the dead ones left under way.
  await expect
    .poll(
      async () => {
        await maintain()
        return (await commands()).filter(({ state }) => state === 'sent').length
      },
      { timeout: 15_000 },
    )
    .toBe(0)
  const open = new Set((await findOpen(db)).map(({ id }) => id))
  const left = await commands()
  for (const { state, id } of left) {
    expect(['draft', 'done', 'unknown']).toContain(state)
    expect(open.has(id)).toBe(state === 'unknown')
  }
  // Processes were cut short in their call and after it; else this proves nothing.
  const states = left.map(({ state }) => state)
  expect(states.filter((state) => state === 'done').length).toBeGreaterThanOrEqual(KILLS / STEPS.length)
  expect(states).toContain('unknown')

  const session = await signedIn(service, 'operator@example.com', OPERATOR)
  for (const command of left) expect([command.target, await agreesWithService(command)]).toEqual([command.target, true])
  const sent = left.filter(({ sent_at }) => sent_at !== null)
  expect((await service.arrived('POST', CONFIRM)) - before).toBeLessThanOrEqual(sent.length)

  async function agreesWithService(command: CommandRow): Promise<boolean> {
    const { accessToken } = await service.login('operator@example.com')
    const path = `/api/v1/Transaction/${encodeURIComponent(command.target)}`
    const { data } = await service.call('GET', path, { token: accessToken })
    const happened = String(data?.state) !== 'QUEUED'
    if (command.state === 'unknown')
      return (await reconcileCommand(session, command)).command.state === (happened ? 'applied' : 'unknown')
    return happened === (command.state === 'done')
  }
})
