import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'

/** The commit that is checked out, and whether files differ from it; `unknown` in a folder without git, such as an unpacked archive. */
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

/** When and on which machine a table was made: of parts that ran at commits of their own. */
export const dayAndMachine = (): string =>
  `Run on ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`

/** The line above a table: day, machine and commit. */
export const runHead = (): string => `${dayAndMachine()}, commit ${commitName()}.`
