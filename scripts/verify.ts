import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { buildIfStale } from './build.ts'

const RESULTS = 'test-results'

interface Count {
  readonly passed: number
  readonly failed: number
  /** What failed, by name: told once more at the end, where a long output is read first. */
  readonly names?: readonly string[]
}

interface UnitReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

type Step = readonly [name: string, run: () => Promise<Count>]

const node = (script: string, ...args: string[]): Promise<boolean> =>
  new Promise((done) => {
    const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
    const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit', env: environment })
    child.once('exit', (code) => done(code === 0))
  })

/** A step that passes or fails as a whole. */
const whole = async (run: Promise<boolean>): Promise<Count> =>
  (await run) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }

/** A runner that writes its own numbers; a run that broke off without them has failed. */
async function counted(run: Promise<boolean>, file: string, read: (report: never) => Count): Promise<Count> {
  const succeeded = await run
  if (!existsSync(file)) return { passed: 0, failed: 1 }
  const count = read(JSON.parse(readFileSync(file, 'utf8')) as never)
  return succeeded || count.failed > 0 ? count : { ...count, failed: 1 }
}

const unitReport = `${RESULTS}/unit.json`
const endToEndReport = `${RESULTS}/e2e.json`

const steps: readonly Step[] = [
  [
    'types',
    () =>
      whole(
        node('node_modules/next/dist/bin/next', 'typegen').then(
          (made) => made && node('node_modules/typescript/bin/tsc', '--noEmit'),
        ),
      ),
  ],
  [
    'lint and boundaries',
    () => whole(node('node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '--error-on-warnings', '.')),
  ],
  ['dead code', () => whole(node('node_modules/knip/bin/knip.js'))],
  [
    'unit, property and sandbox tests',
    () =>
      counted(
        node(
          'node_modules/vitest/vitest.mjs',
          'run',
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${unitReport}`,
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
        }),
      ),
  ],
  ['build', () => whole(buildIfStale().then(() => true))],
  [
    'end-to-end tests',
    () =>
      counted(
        node('node_modules/@playwright/test/cli.js', 'test'),
        endToEndReport,
        (report: { stats: { expected: number; unexpected: number; flaky: number } }) => ({
          passed: report.stats.expected,
          failed: report.stats.unexpected + report.stats.flaky,
        }),
      ),
  ],
]

/** Runs every check, each to its end, and prints the sum as the last line. Answers whether all passed. */
export async function verify(): Promise<boolean> {
  rmSync(RESULTS, { recursive: true, force: true })
  mkdirSync(RESULTS)
  const lines: string[] = []
  let [passed, failed] = [0, 0]
  for (const [name, run] of steps) {
    process.stdout.write(`\n── ${name}\n`)
    const started = performance.now()
    const count = await run()
    passed += count.passed
    failed += count.failed
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    lines.push(`${name}: ${count.passed} passed, ${count.failed} failed (${seconds} s)`)
    for (const failure of count.names ?? []) lines.push(`  failed: ${failure}`)
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n${passed} passed, ${failed} failed\n`)
  return failed === 0
}
