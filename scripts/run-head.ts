import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** Returns `unknown` without git. */
export function commitName(folder = '.'): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' with changes'
    return git('rev-parse', '--short', 'HEAD') + changed
  } catch {
    return 'unknown'
  }
}

/** Of a shallow history the older commits are missing. False without git. */
export function isHistoryShallow(): boolean {
  const { stdout } = spawnSync('git', ['rev-parse', '--is-shallow-repository'], { encoding: 'utf8' })
  return stdout?.trim() === 'true'
}

/** For tables whose parts ran at different commits. */
export const dayAndMachine = (): string =>
  `Run on ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`

export const runHead = (): string => `${dayAndMachine()}, commit ${commitName()}.`

/** `file` is below `test-results`. */
export function saveTable(file: string, rows: readonly string[]): void {
  const table = [`${runHead()}\n`, ...rows, ''].join('\n')
  mkdirSync('test-results', { recursive: true })
  writeFileSync(file, table)
  process.stdout.write(`\n${table}\nThis table is in ${file}.\n`)
}
