import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readInWorker } from '#lib/statements/file/read-in-worker.ts'
import { EXIT, exitCodeOf, failureWords, reportOf } from '#lib/statements/file/report.ts'
import type { AnyMapping } from '#lib/statements/file/table.ts'
import { columnMapping, namedMapping } from '#lib/statements/remembered-mapping.ts'

const USAGE = 'Usage: npm run --silent statement:read -- FILE [--mapping FILE]\n'

interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const refused = (stderr: string): Printed => ({ code: EXIT.refused, stdout: '', stderr })

/** `npm run statement:read -- FILE [--mapping FILE]`: exits 0 if read, 2 if refused, 3 if it needs a mapping. */
export async function readStatement(args: readonly string[]): Promise<Printed> {
  const options = { mapping: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options })
  const [path, ...others] = positionals
  if (path === undefined || others.length > 0) return refused(USAGE)
  const mapping = values.mapping === undefined ? null : mappingIn(values.mapping)
  if (mapping === 'none') {
    return refused(`${values.mapping} is not a mapping. docs/operations.md, section 5, shows one.\n`)
  }
  const report = reportOf(await readInWorker(readFileSync(path), mapping), mapping)
  return { code: exitCodeOf(report), stdout: `${JSON.stringify(report, null, 2)}\n`, stderr: '' }
}

function mappingIn(path: string): AnyMapping | 'none' {
  try {
    return columnMapping.or(namedMapping).parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return 'none'
  }
}

if (import.meta.main) {
  const printed = await readStatement(process.argv.slice(2)).catch((error: Error) =>
    refused(`The file cannot be read: ${failureWords(error)}\n`),
  )
  process.stdout.write(printed.stdout)
  process.stderr.write(printed.stderr)
  process.exitCode = printed.code
}
