import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { config } from '#lib/config/config.ts'
import { store } from '#lib/store/store.ts'
import type { Order } from '#lib/testing/command-process.ts'
import { makeRoomForChanges } from '#lib/testing/command-run.ts'
import { runs } from '#lib/testing/runs.ts'
import { testEnvironment } from '#lib/testing/test-console.ts'
import type { TestService } from '#lib/testing/test-service.ts'
import { handleOf, signedIn } from '#lib/testing/test-session.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { maintain } from './maintenance.ts'
import { findOpen } from './queries.ts'
import { reconcileCommand } from './reconcile.ts'
import type { CommandRow } from './row.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const OPERATOR = '00000000-0000-4000-8000-000000000001'
const KILLS = runs(100)
const SERVICE_DELAY_MS = 400
/** What each process of a round does last. `executing`: killed at any moment of its call; `held`: while the service works on it. */
const LAST_STEPS = ['ready', 'drafted', 'executing', 'told', 'held'] as const
type LastStep = (typeof LAST_STEPS)[number]

/** Runs a console process that confirms a deposit, and kills it `laterMs` after its last step. */
function killAfter(service: TestService, last: LastStep, laterMs: number, order: Order): Promise<void> {
  return new Promise((done) => {
    const args = ['--conditions=react-server', 'lib/testing/command-process.ts', JSON.stringify(order)]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const kill = () => void wait(laterMs).then(() => child.kill('SIGKILL'))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [step] = line.split(' ')
      if (step === last) return kill()
      if (step !== 'drafted') return
      child.stdin.write('execute\n')
      if (last === 'executing') kill()
      if (last === 'held') void service.held(1).then(kill)
    })
    child.once('exit', () => done())
  })
}

/** Before the service, whose log has no bodies. Each change has its own connection. */
async function countReferences(serviceUrl: string) {
  const sent: string[] = []
  const proxy = createServer((client) => {
    const service = connect(Number(new URL(serviceUrl).port), '127.0.0.1')
    let text = ''
    client.on('data', (part) => {
      text += part.toString()
      const [, reference] = /^POST \S+\/deposit\/confirm [^{]*\{.*"referenceId":"([^"]+)".*\}/s.exec(text) ?? []
      if (reference === undefined) return
      sent.push(reference)
      text = ''
    })
    client.on('error', () => service.destroy()).on('close', () => service.end())
    service.on('error', () => client.destroy())
    client.pipe(service).pipe(client)
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  return { sent, proxy, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

test(`a console process killed at any step, ${KILLS} times: nothing is lost, nothing is sent twice`, {
  timeout: 1_200_000,
}, async ({ service }) => {
  const handle = await handleOf(service, 'operator@example.com', OPERATOR)
  const { sent: confirmed, proxy, url } = await countReferences(service.url)
  const environment = { ...testEnvironment, CORE_API_URL: url, DATABASE_URL: config().databaseUrl }
  const references: string[] = []
  const confirmAndKill = async (last: LastStep, laterMs: number): Promise<void> => {
    const reference = await service.announceDeposit('10')
    references.push(reference)
    const params = { referenceId: reference, bankReference: randomUUID(), statementAmount: '10' }
    await killAfter(service, last, laterMs, { environment, handle, kind: 'deposit.confirm', params })
  }
  for (let killed = 0; killed < KILLS; killed += LAST_STEPS.length) {
    await makeRoomForChanges()
    await service.fault('POST', CONFIRM, { delayMs: SERVICE_DELAY_MS }, LAST_STEPS.length)
    const laterMs = (killed / KILLS) * SERVICE_DELAY_MS
    await Promise.all(LAST_STEPS.map((last) => (last === 'held' ? undefined : confirmAndKill(last, laterMs))))
    await service.clearFaults()
    await service.fault('POST', CONFIRM, 'hold')
    await confirmAndKill('held', 0)
    await service.clearFaults()
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
      { timeout: 60_000 },
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
  expect(states.filter((state) => state === 'done').length).toBeGreaterThanOrEqual(KILLS / LAST_STEPS.length)
  expect(states.filter((state) => state === 'unknown').length).toBeGreaterThanOrEqual(KILLS / LAST_STEPS.length)

  const session = await signedIn(service, 'operator@example.com', OPERATOR)
  // The service may still work on what a killed process sent last.
  for (const command of left)
    await expect.poll(() => agreesWithService(command), { message: command.target, timeout: 60_000 }).toBe(true)
  const sent = left.filter(({ sent_at }) => sent_at !== null)
  expect(confirmed.toSorted()).toEqual([...new Set(confirmed)].toSorted())
  expect(sent.map(({ target }) => target)).toEqual(expect.arrayContaining(confirmed))
  expect(confirmed.length).toBeGreaterThanOrEqual(KILLS / LAST_STEPS.length)
  proxy.close()

  async function agreesWithService(command: CommandRow): Promise<boolean> {
    const { accessToken } = await service.login('operator@example.com')
    const path = `/api/v1/Transaction/${encodeURIComponent(command.target)}`
    const { data } = await service.call('GET', path, { token: accessToken })
    const happened = String(data?.state) !== 'QUEUED'
    if (command.state === 'unknown') {
      const { state } = (await reconcileCommand(session, command)).command
      // A command that has been unknown for long, and shows no effect, becomes `not_applied`.
      return happened ? state === 'applied' : state === 'unknown' || state === 'not_applied'
    }
    return happened === (command.state === 'done')
  }
})
