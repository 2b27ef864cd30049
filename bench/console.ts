import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manyUsers, utility } from '#sandbox/seed/many-users.ts'
import { accountIdOf } from '#sandbox/seed/merchants.ts'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import { startProcess } from '#sandbox/testing/sandbox-process.ts'
import { buildIfStale } from '../scripts/build.ts'
import { Client } from './client.ts'
import { startConsole } from './console-process.ts'
import { atMost, handOver, type Row, told } from './hand-over.ts'
import { median, timeOf } from './measure.ts'
import { Operator } from './operator.ts'
import { print } from './print.ts'
import { confirmAll, importFile, newStatement } from './statement-import.ts'
import { TimingProxy } from './timing-proxy.ts'

const OPERATOR = 'operator@example.com'
const LINES = 1_000
const TIMES = 20
/** A service on this very machine answers in a few milliseconds, which hides how many calls wait for one another. */
const FAR_AWAY_MS = 50

const CALLS_A_LINE = 1.1

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** `npm run bench`: the built console before a sandbox that is seeded large. Asserts nothing; prints what one run gave. */
async function bench(): Promise<void> {
  await buildIfStale()
  const folder = mkdtempSync(join(tmpdir(), 'bench-console-'))
  const sandbox = await startProcess({ SANDBOX_SEED: 'large', SANDBOX_DATABASE_URL: `file:${join(folder, 'sandbox')}` })
  const proxy = await TimingProxy.start(sandbox.url)
  const console = await startConsole(proxy.url, `file:${join(folder, 'console')}`)
  const client = new Client(sandbox.url)
  const operator = await Operator.signIn(console.url, OPERATOR)
  try {
    const rows: Row[] = []
    const statement = await measureImport(client, operator, proxy, rows)
    await measureExport(operator, proxy, rows)
    await measurePages(client, operator, proxy, statement, rows)
    handOver('console', rows)
  } finally {
    operator.close()
    client.close()
    await console.end()
    proxy.stop()
    await sandbox.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How long something takes, and how many calls to the service. */
async function counted(proxy: TimingProxy, once: () => Promise<unknown>): Promise<{ ms: number; calls: number }> {
  const before = proxy.calls.length
  const ms = await timeOf(once)
  return { ms, calls: proxy.calls.length - before }
}

async function measureImport(client: Client, operator: Operator, proxy: TimingProxy, rows: Row[]): Promise<string> {
  const csv = await newStatement(client, await client.tokenOf('ana@example.com'), LINES)
  let id = ''
  const imported = await counted(proxy, async () => {
    id = await importFile(operator, csv)
  })
  const perLine = (calls: number): string => `${(calls / LINES).toFixed(3)} calls to the service per line`
  print(
    `statement import of ${LINES} lines: ${seconds(imported.ms)}, ${perLine(imported.calls)} (aim: at most ${CALLS_A_LINE})`,
  )
  const confirmed = await counted(proxy, () => confirmAll(operator, id))
  print(`confirming those ${LINES} lines: ${seconds(confirmed.ms)}, ${perLine(confirmed.calls)}`)
  const imports = 'calls to the service for a line of a statement'
  rows.push(atMost(`${imports}: import`, imported.calls / LINES, CALLS_A_LINE, (calls) => calls.toFixed(3)))
  rows.push(told(`${imports}: confirming`, (confirmed.calls / LINES).toFixed(3)))
  return id
}

async function measureExport(operator: Operator, proxy: TimingProxy, rows: Row[]): Promise<void> {
  let lines = 0
  const { ms, calls } = await counted(proxy, async () => {
    const frames = await operator.ask(`/api/export/history?${new URLSearchParams({ account: accountIdOf(utility) })}`)
    lines = frames.split('\n').length
    if (!frames.includes('"end"')) throw new Error('the export did not end')
  })
  print(`CSV export of 10,000 rows: ${seconds(ms)}, ${calls} calls to the service, ${lines} frames`)
  rows.push(told('CSV export of 10,000 rows: seconds', (ms / 1000).toFixed(1)))
}

async function measurePages(
  client: Client,
  operator: Operator,
  proxy: TimingProxy,
  statement: string,
  rows: Row[],
): Promise<void> {
  const token = await client.tokenOf(OPERATOR)
  const account = manyUsers[0] === undefined ? '' : userIdEndingIn(manyUsers[0].ending)
  const history = await client.ask({ path: `/api/v1/Transaction/account/${account}?pageSize=1`, token })
  const reference = encodeURIComponent(history.transactions[0]?.referenceId ?? '')
  const [terminal] = /\/terminals\/[\da-f-]{36}/.exec(await operator.ask('/terminals?merchant=merchant-001')) ?? ['']
  const pages: Readonly<Record<string, string>> = {
    home: '/',
    deposits: '/deposits',
    'a deposit': `/deposits?reference=${reference}`,
    'a transaction': `/transactions/${reference}`,
    'a user’s history': `/users/${account}`,
    'what a user may do': `/users/${account}/access`,
    cards: '/cards',
    'a card': '/cards/11111111-2222-4333-8444-555555555555',
    terminals: '/terminals?merchant=merchant-001',
    'a terminal': terminal,
    statements: '/deposits/statements',
    'a statement': `/deposits/statements/${statement}`,
    security: '/security',
  }
  for (const farAwayMs of [0, FAR_AWAY_MS]) {
    proxy.farAwayMs = farAwayMs
    print('')
    print(`${`a page, the service ${farAwayMs} ms away`.padEnd(36)}page     slowest call   ratio   calls`)
    for (const [name, path] of Object.entries(pages)) {
      const { line, ratio } = await measurePage(operator, proxy, name, path)
      print(line)
      if (farAwayMs > 0) rows.push(told(`${name} / its slowest call, the service ${farAwayMs} ms away`, ratio))
    }
  }
}

async function measurePage(
  operator: Operator,
  proxy: TimingProxy,
  name: string,
  path: string,
): Promise<{ line: string; ratio: string }> {
  for (let n = 0; n < TIMES / 4; n += 1) await operator.ask(path)
  const [page, slowest, calls]: [number[], number[], number[]] = [[], [], []]
  for (let n = 0; n < TIMES; n += 1) {
    const before = proxy.calls.length
    page.push(await timeOf(() => operator.ask(path)))
    const made = proxy.calls.slice(before)
    slowest.push(Math.max(0, ...made))
    calls.push(made.length)
  }
  const [own, upstream] = [median(page), median(slowest)]
  const ratio = upstream === 0 ? '–' : (own / upstream).toFixed(2)
  const shown = (ms: number) => `${ms.toFixed(1)} ms`
  const line = `${name.padEnd(30)}${shown(own).padStart(10)}${(upstream === 0 ? '–' : shown(upstream)).padStart(17)}${ratio.padStart(8)}${String(median(calls)).padStart(8)}`
  return { line, ratio }
}

await bench()
