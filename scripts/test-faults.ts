import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'

const REPORT = 'test-results/faults-run.json'
const TABLE = 'test-results/faults.md'

/** As `e2e/faults/figures.ts` notes them. */
interface Figure {
  readonly scenario: string
  readonly runs: number
  readonly what: string
  readonly required: number | null
  readonly seen: number
}

interface Suite {
  readonly specs?: readonly { readonly tests: readonly { readonly results: readonly Result[] }[] }[]
  readonly suites?: readonly Suite[]
}

interface Result {
  readonly annotations: readonly { readonly type: string; readonly description?: string }[]
}

const figuresOf = ({ specs = [], suites = [] }: Suite): readonly Figure[] => [
  ...specs
    .flatMap(({ tests }) => tests)
    .flatMap(({ results }) => results)
    .flatMap(({ annotations }) => annotations)
    .filter(({ type }) => type === 'figure')
    .map(({ description = '{}' }) => JSON.parse(description) as Figure),
  ...suites.flatMap(figuresOf),
]

function tableOf(figures: readonly Figure[]): string {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`
  const rows = figures.map(
    ({ scenario, runs, what, required, seen }) => `| ${scenario} | ${runs} | ${what} | ${required ?? ''} | ${seen} |`,
  )
  return [
    `Run on ${new Date().toISOString().slice(0, 10)}, ${machine}.\n`,
    '| scenario | runs | what | required | seen |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

/** `npm run test:faults`: what breaks around the console while changes are made; the figures as a table, printed and in a file. */
async function testFaults(): Promise<void> {
  ensureBrowser()
  await buildIfStale()
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'playwright.faults.config.ts']
  const { status } = spawnSync(process.execPath, [...playwright, ...process.argv.slice(2)], { stdio: 'inherit' })
  const table = tableOf(figuresOf(JSON.parse(readFileSync(REPORT, 'utf8')) as Suite))
  mkdirSync('test-results', { recursive: true })
  writeFileSync(TABLE, table)
  process.stdout.write(`\n${table}\nThis table is in ${TABLE}.\n`)
  process.exitCode = status ?? 1
}

await testFaults()
