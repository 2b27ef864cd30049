import pino from 'pino'
import { type Config, parseConfig } from '#lib/config/parse.ts'
import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'

/** An environment that is right in every variable; tests change what they are about. */
export const testEnvironment: Readonly<Record<string, string>> = {
  NEXTAUTH_URL: 'http://localhost:3000',
  NEXTAUTH_SECRET: 'a secret of the handshake, for tests only',
  SESSION_KEY: `2:${Buffer.alloc(32, 2).toString('base64')},1:${Buffer.alloc(32, 1).toString('base64')}`,
  AUDIT_KEY: Buffer.alloc(32, 7).toString('base64'),
  CORE_API_URL: 'http://localhost:4010',
  OIDC_ISSUER: 'http://localhost:4010/idp',
  OIDC_CLIENT_ID: 'operator-console',
  OIDC_CLIENT_SECRET: 'sandbox-console-secret',
  STAFF_CLAIM: 'groups=console-operators,console-viewers',
  DATABASE_URL: 'memory:',
}

/** Configures this process as a console, with some variables changed. */
export function configureForTest(change: Readonly<Record<string, string>> = {}): Config {
  const parsed = parseConfig({ ...testEnvironment, ...change })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  // What is refused on purpose would fill the report with warnings.
  Object.assign(globalThis, { consoleConfig: parsed.config, consoleLog: pino({ level: 'silent' }) })
  return parsed.config
}

const emptied: readonly (keyof Tables)[] = [
  'command_lock',
  'session_handle',
  'session',
  'preference',
  'text_draft',
  'logout_token',
  'issued_card',
  'totp_digits',
  'recent_merchant',
  'case_seen',
  'case_claim',
  'case_viewer',
  'case_candidate',
  'state_seen',
  'statement',
  'statement_mapping',
]

const shared = globalThis as typeof globalThis & { testStoreUrl?: Promise<string> }

/** A console with an empty store; what is append-only stays, as it must. */
export async function freshConsole(change: Readonly<Record<string, string>> = {}): Promise<Config> {
  shared.testStoreUrl ??= testDatabaseUrl()
  const config = configureForTest({ DATABASE_URL: await shared.testStoreUrl, ...change })
  const db = await store()
  for (const table of emptied) await db.deleteFrom(table).execute()
  // What was noted or read there is to be noted and read anew.
  Object.assign(globalThis, { consoleStateNotes: undefined, consoleAdoption: undefined })
  return config
}
