import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { tryBuild } from './build.ts'
import { runHead } from './run-head.ts'

const RESULTS = 'test-results'
const TABLE = `${RESULTS}/tests.md`
export const VERIFIED = `${RESULTS}/tests.json`
const SLOWEST_FILES = 30
/** A shared compile cache, because the tests start the same programs many times. */
const COMPILED = join(process.cwd(), 'node_modules/.cache/compiled')

interface Count {
  readonly passed: number
  readonly failed: number
  /** Failed tests, repeated at the end of the output. */
  readonly names?: readonly string[]
  /** Seconds per test file. */
  readonly files?: ReadonlyMap<string, number>
}

interface UnitReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

interface Suite {
  readonly file: string
  readonly specs?: readonly {
    readonly title: string
    readonly ok: boolean
    readonly tests: readonly { readonly results: readonly { readonly duration: number }[] }[]
  }[]
  readonly suites?: readonly Suite[]
}

interface EndToEndReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number }
  readonly suites: readonly Suite[]
}

interface Step {
  readonly name: string
  run(): Promise<Count>
}

/** Quiet: prints only when it fails. */
function node(script: string, args: readonly string[], quiet = false): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [script, ...args], {
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_COMPILE_CACHE: COMPILED },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data.toString()))
    child.once('close', (code) => {
      if (code !== 0) process.stdout.write(output)
      done(code === 0)
    })
  })
}

const whole = async (run: Promise<boolean>): Promise<Count> =>
  (await run) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }

/** A run without a report has failed. */
async function counted<Report>(run: Promise<boolean>, file: string, read: (report: Report) => Count): Promise<Count> {
  const succeeded = await run
  if (!existsSync(file)) return { passed: 0, failed: 1 }
  const count = read(JSON.parse(readFileSync(file, 'utf8')) as Report)
  return succeeded || count.failed > 0 ? count : { ...count, failed: 1 }
}

/** A failed build is not repeated. */
let built: Promise<boolean> | undefined
const buildOnce = (): Promise<boolean> => {
  built ??= tryBuild()
  return built
}

const types: Step = {
  name: 'types',
  // The build deletes and regenerates the types.
  run: () =>
    whole(
      buildOnce()
        .then(() => node('node_modules/next/dist/bin/next', ['typegen'], true))
        .then((made) => made && node('node_modules/typescript/bin/tsc', ['--noEmit'], true)),
    ),
}

const lint: Step = {
  name: 'lint and boundaries',
  run: () =>
    whole(node('node_modules/@biomejs/biome/bin/biome', ['ci', '--colors=off', '--error-on-warnings', '.'], true)),
}

const deadCode: Step = { name: 'dead code', run: () => whole(node('node_modules/knip/bin/knip.js', [], true)) }

const build: Step = { name: 'build', run: () => whole(buildOnce()) }

const unitReport = `${RESULTS}/unit.json`

const unit: Step = {
  name: 'unit, property and sandbox tests',
  run: () =>
    counted(
      node(
        'node_modules/vitest/vitest.mjs',
        ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`],
        true,
      ),
      unitReport,
      (report: UnitReport) => ({
        passed: report.numPassedTests,
        failed: report.numFailedTests,
        names: report.testResults.flatMap(({ name, assertionResults }) =>
          assertionResults
            .filter(({ status }) => status === 'failed')
            .map(({ fullName }) => `${relative('.', name)}: ${fullName}`),
        ),
        files: sumByFile(
          report.testResults.map(({ name, startTime, endTime }) => [relative('.', name), (endTime - startTime) / 1000]),
        ),
      }),
    ),
}

const endToEndReport = `${RESULTS}/e2e.json`

const endToEndTests = (): Promise<Count> =>
  counted(
    node('node_modules/@playwright/test/cli.js', ['test']),
    endToEndReport,
    ({ stats, suites }: EndToEndReport) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      names: suites.flatMap(failuresOf),
      files: sumByFile(suites.map((suite) => [`e2e/${suite.file}`, secondsOf(suite)])),
    }),
  )

const endToEnd: Step = {
  name: 'end-to-end tests',
  run: async () => ((await buildOnce()) ? endToEndTests() : { passed: 0, failed: 1 }),
}

function sumByFile(times: readonly (readonly [file: string, seconds: number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const [file, seconds] of times) sums.set(file, (sums.get(file) ?? 0) + seconds)
  return sums
}

const failuresOf = ({ file, specs = [], suites = [] }: Suite): readonly string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ title }) => `e2e/${file}: ${title}`),
  ...suites.flatMap(failuresOf),
]

function secondsOf({ specs = [], suites = [] }: Suite): number {
  const own = specs.flatMap(({ tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => duration / 1000)),
  )
  return [...own, ...suites.map(secondsOf)].reduce((sum, seconds) => sum + seconds, 0)
}

/** Steps of one row run in parallel, because most use one core. */
const rows: readonly (readonly Step[])[] = [[types, lint, deadCode, build, unit], [endToEnd]]

export interface Verified {
  readonly passed: number
  readonly failed: number
  readonly seconds: number
  /** `file: title`, or the step. */
  readonly failures: readonly string[]
}

/** Runs every check to its end. */
export async function verify(): Promise<boolean> {
  mkdirSync(RESULTS, { recursive: true })
  for (const file of [TABLE, VERIFIED, unitReport, endToEndReport]) rmSync(file, { force: true })
  const lines: string[] = []
  const table: string[] = []
  const files = new Map<string, number>()
  const failures: string[] = []
  let [passed, failed] = [0, 0]

  async function take({ name, run }: Step): Promise<void> {
    const started = performance.now()
    const count = await run()
    passed += count.passed
    failed += count.failed
    const took = secondsSince(started)
    lines.push(`${name}: ${count.passed} passed, ${count.failed} failed (${took} s)`)
    table.push(`| ${name} | ${count.passed} | ${count.failed} | ${took} |`)
    for (const failure of count.names ?? []) lines.push(`  failed: ${failure}`)
    if (count.failed > 0) failures.push(...(count.names?.length ? count.names : [name]))
    for (const [file, seconds] of count.files ?? []) files.set(file, seconds)
  }
  const started = performance.now()
  for (const row of rows) {
    process.stdout.write(`\n── ${row.map(({ name }) => name).join(', ')}\n`)
    await Promise.all(row.map(take))
  }
  const slowest = [...files].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST_FILES)
  process.stdout.write(
    `\nThe slowest files:\n${slowest.map(([file, s]) => `${s.toFixed(1).padStart(7)} s  ${file}\n`).join('')}`,
  )
  table.push(`| all of it | ${passed} | ${failed} | ${secondsSince(started)} |`)
  const head = ['| step | passed | failed | seconds |', '| --- | --- | --- | --- |']
  writeFileSync(TABLE, [`${runHead()}\n`, ...head, ...table, ''].join('\n'))
  const verified: Verified = { passed, failed, seconds: Number(secondsSince(started)), failures }
  writeFileSync(VERIFIED, JSON.stringify(verified))
  process.stdout.write(
    `\n${lines.join('\n')}\nAll of it: ${secondsSince(started)} s; table in ${TABLE}\n\n${passed} passed, ${failed} failed\n`,
  )
  return failed === 0
}

const secondsSince = (started: number): string => ((performance.now() - started) / 1000).toFixed(0)
