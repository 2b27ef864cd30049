import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { saveTable } from './run-head.ts'

/** Written by `e2e/support/figures.ts`. */
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

const rowOf = ({ scenario, runs, what, required, seen }: Figure): string =>
  `| ${scenario} | ${runs} | ${what} | ${required ?? ''} | ${seen} |`

/** Prints and saves the figures that the tests recorded. */
export function tellFigures(name: string): void {
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config', `playwright.${name}.config.ts`]
  const { status } = spawnSync(process.execPath, [...playwright, ...process.argv.slice(2)], { stdio: 'inherit' })
  const run = JSON.parse(readFileSync(`test-results/${name}-run.json`, 'utf8')) as Suite
  const head = ['| scenario | runs | what | required | seen |', '| --- | --- | --- | --- | --- |']
  saveTable(`test-results/${name}.md`, [...head, ...figuresOf(run).map(rowOf)])
  process.exitCode = status ?? 1
}
