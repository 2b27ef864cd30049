import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { config } from '#lib/config/config.ts'
import { store } from '#lib/store/store.ts'
import type { LimitOrder } from '#lib/testing/limit-process.ts'
import { freshConsole } from '#lib/testing/test-console.ts'

const PROCESSES = 2
const AT_ONCE = 25
const ROUNDS = 200
const FITS = 10

interface LimitProcess {
  readonly child: ChildProcess
  ask(line: string): Promise<string>
}

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill()
})

async function startProcess(order: LimitOrder): Promise<LimitProcess> {
  const args = ['--conditions=react-server', 'lib/testing/limit-process.ts', JSON.stringify(order)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => (await lines.next()).value ?? ''
  expect(await next()).toBe('ready')
  return {
    child,
    ask: async (line) => {
      child.stdin.write(`${line}\n`)
      return await next()
    },
  }
}

test(`${PROCESSES * AT_ONCE} confirmations at once at a limit, by ${PROCESSES} processes, ${ROUNDS} rounds: never beyond it`, {
  timeout: 600_000,
}, async () => {
  await freshConsole()
  const rule = { kind: 'deposit.confirm', limit: { sum: '1000.00' } }
  const order = { databaseUrl: config().databaseUrl, rule, atOnce: AT_ONCE, amount: '100' }
  const processes = await Promise.all(Array.from({ length: PROCESSES }, () => startProcess(order)))
  const askAll = (line: string) => Promise.all(processes.map(({ ask }) => ask(line)))
  const sent: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await askAll(`draft sso:${round}`)
    const told = await askAll('send')
    sent.push(told.reduce((sum, line) => sum + Number(line.replace('sent ', '')), 0))
  }
  expect(sent).toEqual(Array(ROUNDS).fill(FITS))
  const { count } = await (await store())
    .selectFrom('command')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'sent')
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(ROUNDS * FITS)
})
