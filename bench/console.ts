import { manyUsers, utility } from '#sandbox/seed/many-users.ts'
import { accountIdOf } from '#sandbox/seed/merchants.ts'
import { userIdEndingIn } from '#sandbox/seed/people.ts'
import type { Client } from './client.ts'
import { atMost, handOver, type Row, told } from './hand-over.ts'
import { median, timeOf } from './measure.ts'
import { OPERATOR } from './measured-pages.ts'
import type { Operator } from './operator.ts'
import { print, printRow } from './print.ts'
import { Programs } from './programs.ts'
import { confirmAll, importFile, newStatement } from './statement-import.ts'
import type { TimingProxy } from './timing-proxy.ts'

const LINES = 1_000
const TIMES = 20
/** A service on this very machine answers in a few milliseconds, which hides how many calls wait for one another. */
const FAR_AWAY_MS = 50

const CALLS_A_LINE = 1.1

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** `npm run bench`: the built console before a sandbox that is seeded large. Asserts nothing; prints what one run gave. */
async function bench(): Promise<void> {
  await using programs = new Programs()
  const sandbox = await programs.startSandbox('large', programs.newStore())
  const proxy = await programs.startProxy(sandbox)
  const console = await programs.startConsole(proxy.url)
  const client = programs.newClient(sandbox)
  const operator = await programs.signIn(console.url, OPERATOR)
  const rows: Row[] = []
  const statement = await measureImport(client, operator, proxy, rows)
  await measureExport(operator, proxy, rows)
  await measurePages(client, operator, proxy, statement, rows)
  handOver('console', rows)
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
    printRow([`a page, the service ${farAwayMs} ms away`, 'page', 'slowest call', 'ratio', 'calls'], WIDTHS)
    for (const [name, path] of Object.entries(pages)) {
      const ratio = await printPage(operator, proxy, name, path)
      if (farAwayMs > 0) rows.push(told(`${name} / its slowest call, the service ${farAwayMs} ms away`, ratio))
    }
  }
}

const WIDTHS = [30, 10, 17, 8]

/** Answers the ratio of the page to its slowest call. */
async function printPage(operator: Operator, proxy: TimingProxy, name: string, path: string): Promise<string> {
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
  printRow([name, shown(own), upstream === 0 ? '–' : shown(upstream), ratio, String(median(calls))], WIDTHS)
  return ratio
}

await bench()
