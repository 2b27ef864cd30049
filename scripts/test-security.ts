import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { runHead } from './run-head.ts'
import { securityPromises } from './security-promises.ts'

const RESULTS = 'test-results'
const REPORT = `${RESULTS}/security.json`
const TABLE = `${RESULTS}/security.md`
const UNIT = `${RESULTS}/security-unit.json`
const BROWSER = `${RESULTS}/security-browser.json`

interface Count {
  readonly passed: number
  readonly failed: number
}

interface UnitReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

interface Suite {
  readonly file: string
  readonly specs?: readonly { readonly ok: boolean; readonly tests: readonly { readonly status: string }[] }[]
  readonly suites?: readonly Suite[]
}

interface BrowserReport {
  readonly suites: readonly Suite[]
}

const readReport = <Report>(file: string): Report | null =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null

const add = (counts: Map<string, Count>, file: string, { passed, failed }: Count): void => {
  const known = counts.get(file) ?? { passed: 0, failed: 0 }
  counts.set(file, { passed: known.passed + passed, failed: known.failed + failed })
}

/** By file. A test that was skipped counts for nothing. */
function countUnit(counts: Map<string, Count>): void {
  for (const { name, assertionResults } of readReport<UnitReport>(UNIT)?.testResults ?? []) {
    const of = (status: string) => assertionResults.filter((one) => one.status === status).length
    add(counts, relative(process.cwd(), name), { passed: of('passed'), failed: of('failed') })
  }
}

function countSuite(counts: Map<string, Count>, { file, specs = [], suites = [] }: Suite): void {
  const run = specs.filter(({ tests }) => tests.some(({ status }) => status !== 'skipped'))
  const passed = run.filter(({ ok }) => ok).length
  add(counts, `e2e/${file}`, { passed, failed: run.length - passed })
  for (const suite of suites) countSuite(counts, suite)
}

const node = (script: string, args: readonly string[]): boolean =>
  spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' }).status === 0

function runTests(files: readonly string[]): boolean {
  const specs = files.filter((file) => file.startsWith('e2e/'))
  const units = files.filter((file) => !file.startsWith('e2e/'))
  const playwright = ['test', '--config', 'playwright.security.config.ts', ...specs]
  const vitest = ['run', ...units, '--reporter=default', '--reporter=json', `--outputFile.json=${UNIT}`]
  const ends = [
    node('node_modules/@playwright/test/cli.js', playwright),
    node('node_modules/vitest/vitest.mjs', vitest),
  ]
  return ends.every(Boolean)
}

/** `npm run test:security`: the tests behind each promise of `SECURITY.md`, and which of the promises they prove. */
ensureBrowser()
await buildIfStale()
const promises = securityPromises()
for (const file of [REPORT, TABLE, UNIT, BROWSER]) rmSync(file, { force: true })
const ended = runTests([...new Set(promises.flatMap(({ files }) => files))])

const counts = new Map<string, Count>()
countUnit(counts)
for (const suite of readReport<BrowserReport>(BROWSER)?.suites ?? []) countSuite(counts, suite)

const table = promises.map(({ promise, files }) => {
  const found = files.map((file) => counts.get(file) ?? { passed: 0, failed: 0 })
  // A file of which no test ran proves nothing.
  const silent = files.filter((_file, at) => found[at]?.passed === 0 && found[at]?.failed === 0)
  const sum = (of: keyof Count) => found.reduce((all, count) => all + count[of], 0)
  return { promise, files, tests: sum('passed') + sum('failed'), failed: sum('failed'), silent }
})
const kept = table.filter(({ failed, silent }) => failed === 0 && silent.length === 0)

mkdirSync(RESULTS, { recursive: true })
writeFileSync(REPORT, `${JSON.stringify({ at: new Date().toISOString(), promises: table }, null, 2)}\n`)
process.stdout.write('\n')
const rows = table.map(({ promise, tests, failed, silent }) => {
  const not = [...(failed > 0 ? [`${failed} failed`] : []), ...silent.map((file) => `nothing ran of ${file}`)]
  const result = not.length === 0 ? 'proved' : `NOT PROVED (${not.join(', ')})`
  process.stdout.write(`${String(tests).padStart(4)} tests  ${result}  ${promise}\n`)
  return `| ${promise} | ${tests} | ${result} |`
})
writeFileSync(TABLE, [`${runHead()}\n`, '| promise | tests | result |', '| --- | --- | --- |', ...rows, ''].join('\n'))
process.stdout.write(`\n${kept.length} of ${table.length} promises proved; ${TABLE}, ${REPORT}\n`)
process.exitCode = ended && kept.length === table.length ? 0 : 1
