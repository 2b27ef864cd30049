import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { syntaxOf, textOf } from '#lib/statements/file/read-file.ts'
import { readInWorker } from '#lib/statements/file/read-in-worker.ts'
import { failureWords } from '#lib/statements/file/report.ts'
import {
  type Credit,
  compare,
  creditsIn,
  type Reading,
  readingOf,
  statementFiles,
  sumsOf,
  type Verdict,
} from './statement-comparison.ts'

const USAGE = `Usage: npm run --silent statement:compare -- FOLDER [--independent COMMAND]
COMMAND FILE prints {"credits": [{"amount": "12.50", "currency": "BZD"}]}, or exits with an error.
`
const COMMAND_MAX_MS = 60_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)

interface FileResult {
  readonly kind: string
  readonly reading: Reading
  /** Null if the independent reader rejects the file, or there is none. */
  readonly verdict: Verdict | null
}

/** `npm run statement:compare -- FOLDER [--independent COMMAND]`: how the import and another reader read bank files. */
async function compareStatements(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { independent: { type: 'string' } } })
  const [folder, ...others] = positionals
  if (folder === undefined || others.length > 0) {
    process.stderr.write(USAGE)
    process.exitCode = 1
    return
  }
  const all: FileResult[] = []
  for (const path of statementFiles(folder)) all.push(await compareFile(folder, path, values.independent))
  printTotals(all)
  if (values.independent !== undefined) printShare(all)
}

async function compareFile(folder: string, path: string, command: string | undefined): Promise<FileResult> {
  const bytes = readFileSync(join(folder, path))
  const tooHard = (error: Error): Reading => ({ kind: 'refused', why: failureWords(error), isEmpty: false })
  const reading = await readInWorker(bytes, null).then(readingOf, tooHard)
  print(`${reading.kind.padEnd(8)} ${path}: ${readingWords(reading)}`)
  const theirs = command === undefined ? null : askIndependent(command, join(folder, path))
  const verdict = theirs === null ? null : compare(reading, theirs)
  if (verdict?.kind === 'differs' || verdict?.kind === 'unread')
    print(`${verdict.kind.padEnd(8)} ${path}: ${verdict.why}`)
  const kind = bytes.subarray(0, 2).toString() === 'PK' ? 'zip, xlsx' : syntaxOf(textOf(bytes))
  return { kind, reading, verdict }
}

const readingWords = (reading: Reading): string =>
  reading.kind === 'read'
    ? `${reading.format}, ${reading.credits.length} credits, ${sumsOf(reading.credits)}`
    : reading.why

/** Null if the command rejects the file. */
function askIndependent(command: string, path: string): readonly Credit[] | null {
  const [program = '', ...args] = command.trim().split(/\s+/)
  const { error, status, stdout } = spawnSync(program, [...args, path], { encoding: 'utf8', timeout: COMMAND_MAX_MS })
  if (error !== undefined) throw error
  return status === 0 ? creditsIn(stdout) : null
}

function printTotals(all: readonly FileResult[]): void {
  print('')
  printRow(['kind', 'files', 'read', 'refused', 'asks'])
  for (const kind of [...new Set(all.map((one) => one.kind))].toSorted()) {
    printRow([kind, ...countsOf(all.filter((one) => one.kind === kind))])
  }
  printRow(['all', ...countsOf(all)])
}

function countsOf(some: readonly FileResult[]): readonly string[] {
  const kinds = ['read', 'refused', 'asks'].map((kind) => some.filter(({ reading }) => reading.kind === kind).length)
  return [some.length, ...kinds].map(String)
}

const printRow = ([kind = '', ...counts]: readonly string[]): void =>
  print(kind.padEnd(12) + counts.map((count) => count.padStart(8)).join(''))

function printShare(all: readonly FileResult[]): void {
  const accepted = all.flatMap(({ verdict }) => (verdict === null ? [] : [verdict.kind]))
  const [equal, differ, unread] = (['equal', 'differs', 'unread'] as const).map(
    (kind) => accepted.filter((one) => one === kind).length,
  )
  const withCredits = accepted.filter((kind) => kind !== 'none').length
  const share = withCredits === 0 ? '' : ` (${Math.round(((equal ?? 0) / withCredits) * 100)} %)`
  print(`\nThe independent reader accepts ${accepted.length} of ${all.length} files; ${withCredits} have credits.`)
  print(`Of these, ${equal}${share} are equal, ${differ} differ, and ${unread} are not read here.`)
}

await compareStatements()
