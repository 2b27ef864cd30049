import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { registerKinds } from '#lib/commands/kind.ts'
import { rehearsalReport } from '#lib/commands/policy/rehearsal-report.ts'
import { type Environment, parseConfig } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { readPolicy } from '#lib/config/policy.ts'
import { withSandboxDefaults } from '#lib/config/sandbox-defaults.ts'
import { open } from '#lib/database/open.ts'
import { kinds } from '#lib/kinds.ts'
import { appliedMigrations, migrationNames } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { ownSecrets } from './own-secrets.ts'

const DAYS = 90
const DAYS_MAX = 3_650
const STORE_OLDER = 'The store is empty or older than this build. Start the console once, then rehearse again.\n'
const USAGE = 'Usage: npm run policy:rehearse -- FILE [--days N]\n'

interface Printed {
  readonly code: 0 | 1 | 2
  readonly stdout: string
  readonly stderr: string
}

const refused = (code: 1 | 2, stderr: string): Printed => ({ code, stdout: '', stderr })

/** `npm run policy:rehearse -- FILE [--days N]`: exits 2 if the file is no policy, 1 if the store cannot be read. */
export async function rehearse(args: readonly string[], environment: Environment = process.env): Promise<Printed> {
  const request = requestOf(args)
  if (request === null) return refused(2, USAGE)
  const policy = policyIn(request.path)
  if ('faults' in policy) return refused(2, policy.faults.map((fault) => `${request.path}: ${fault}\n`).join(''))
  const given = ownSecrets(withSandboxDefaults(environment).environment)
  const parsed = parseConfig({ ...given, POLICY_FILE: '' })
  if (!parsed.ok) return refused(1, parsed.faults.map(({ variable, why }) => `${variable} ${why}\n`).join(''))
  putPerProcess('config', parsed.config)
  registerKinds(kinds)
  const opened = await open<Tables>(parsed.config.databaseUrl, { mustExist: true, poolSize: 1 })
  try {
    if ((await appliedMigrations(opened.db)).length < migrationNames.length) return refused(1, STORE_OLDER)
    return { code: 0, stdout: await rehearsalReport(opened.db, policy, request), stderr: '' }
  } finally {
    await opened.close()
  }
}

function policyIn(path: string): ReturnType<typeof readPolicy> {
  try {
    return readPolicy(readFileSync(path, 'utf8'))
  } catch (error) {
    return { faults: [`cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'error'}`] }
  }
}

function requestOf(args: readonly string[]): { readonly path: string; readonly days: number } | null {
  try {
    const options = { days: { type: 'string', default: String(DAYS) } } as const
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [path, ...others] = positionals
    const days = /^\d{1,4}$/.test(values.days) ? Number(values.days) : 0
    return path === undefined || others.length > 0 || days < 1 || days > DAYS_MAX ? null : { path, days }
  } catch {
    return null
  }
}

if (import.meta.main) {
  const printed = await rehearse(process.argv.slice(2)).catch((error: Error) =>
    refused(1, `The policy cannot be rehearsed: ${error.message}\n`),
  )
  process.stdout.write(printed.stdout)
  process.stderr.write(printed.stderr)
  process.exitCode = printed.code
}
