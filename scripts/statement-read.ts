import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readInWorker } from '#lib/statements/file/read-in-worker.ts'
import { EXIT, exitCodeOf, failureWords, reportOf } from '#lib/statements/file/report.ts'
import type { AnyMapping } from '#lib/statements/file/table.ts'
import { columnMapping, namedMapping } from '#lib/statements/import.ts'

const USAGE = 'Usage: npm run --silent statement:read -- FILE [--mapping FILE]\n'

/**
 * `npm run statement:read -- FILE [--mapping FILE]`: prints as JSON how the import would read a bank file, and stores
 * nothing. A mapping is JSON, with headings or with positions from 0. Exits 0 if the file is read, 2 if it is refused,
 * 3 if it needs a mapping or a decimal mark.
 */
async function readStatement(): Promise<number> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { mapping: { type: 'string' } } })
  const [path, ...others] = positionals
  if (path === undefined || others.length > 0) {
    process.stderr.write(USAGE)
    return EXIT.refused
  }
  const mapping = values.mapping === undefined ? null : mappingIn(values.mapping)
  if (mapping === 'none') {
    process.stderr.write(`${values.mapping} is not a mapping. docs/operations.md, section 5, shows one.\n`)
    return EXIT.refused
  }
  const report = reportOf(await readInWorker(readFileSync(path), mapping), mapping)
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  return exitCodeOf(report)
}

function mappingIn(path: string): AnyMapping | 'none' {
  try {
    return columnMapping.or(namedMapping).parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return 'none'
  }
}

process.exitCode = await readStatement().catch((error: Error) => {
  process.stderr.write(`The file cannot be read: ${failureWords(error)}\n`)
  return EXIT.refused
})
