import { sql } from 'kysely'
import pino from 'pino'
import { registerKinds } from '#lib/commands/kind.ts'
import { watches } from '#lib/commands/reconcile-schedule.ts'
import { type Config, parseConfig } from '#lib/config/config.ts'
import { peekPerProcess, perProcess, putPerProcess } from '#lib/config/per-process.ts'
import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { kinds } from '#lib/kinds.ts'
import { liveSessions, removeLiveSession } from '#lib/session/live-sessions.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { registerTopics } from '#lib/stream/feeds.ts'
import { topics } from '#lib/topics.ts'

/** An environment that is right in every variable; tests change what they are about. */
export const testEnvironment: Readonly<Record<string, string>> = {
  NEXTAUTH_URL: 'http://localhost:3000',
  NEXTAUTH_SECRET: 'a secret of the handshake, for tests only',
  SESSION_KEY: `2:${Buffer.alloc(32, 2).toString('base64')},1:${Buffer.alloc(32, 1).toString('base64')}`,
  AUDIT_KEY: Buffer.alloc(32, 7).toString('base64'),
  LOG_KEY: Buffer.alloc(32, 8).toString('base64'),
  CORE_API_URL: 'http://localhost:4010',
  OIDC_ISSUER: 'http://localhost:4010/idp',
  OIDC_CLIENT_ID: 'operator-console',
  OIDC_CLIENT_SECRET: 'sandbox-console-secret',
  STAFF_CLAIM: 'groups=console-operators,console-viewers',
  DATABASE_URL: 'memory:',
}

/** Configures this process as a console, with some variables changed. */
export function configureForTest(change: Readonly<Record<string, string>> = {}): Config {
  const asksForFactors = 'OIDC_ACR_VALUES' in change || 'OIDC_AMR_VALUES' in change
  const PASSWORD_SIGN_IN = asksForFactors ? 'off' : 'on'
  const parsed = parseConfig({ ...testEnvironment, PASSWORD_SIGN_IN, ...change })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  registerKinds(kinds)
  registerTopics(topics)
  // What tests before left to be looked at is looked at no more.
  watches().clear()
  // What is refused on purpose would fill the report with warnings.
  putPerProcess('config', parsed.config)
  putPerProcess('log', pino({ level: 'silent' }))
  return parsed.config
}

const tables: Readonly<Record<Exclude<keyof Tables, 'ended_chain' | 'log_head'>, true>> = {
  news: true,
  session: true,
  session_handle: true,
  ended_token: true,
  ended_handle: true,
  command: true,
  log_pending: true,
  log_leaf: true,
  log_node: true,
  log_sink: true,
  command_event: true,
  command_lock: true,
  approval_request: true,
  approval: true,
  entered_reference: true,
  passkey_assertion: true,
  passkey_challenge: true,
  passkey: true,
  journal_check: true,
  audit_entry: true,
  known_account: true,
  known_person: true,
  hand_over: true,
  totp_digits: true,
  code_attempt: true,
  console_process: true,
  issued_card: true,
  card_type_seen: true,
  recent_thing: true,
  answer_deadline: true,
  case_amount: true,
  case_category: true,
  case_decision: true,
  case_index: true,
  case_count: true,
  case_page: true,
  case_sweep: true,
  preference: true,
  saved_view: true,
  state_seen: true,
  logout_token: true,
  text_draft: true,
  case_claim: true,
  case_note: true,
  case_mention: true,
  case_watch: true,
  case_viewer: true,
  case_candidate: true,
  case_thread: true,
  case_message: true,
  case_reader: true,
  absence: true,
  case_snooze: true,
  snippet: true,
  statement: true,
  statement_line: true,
  statement_mapping: true,
  statement_suggestion: true,
  statement_file: true,
  statement_debit: true,
  payer_payment: true,
}

/** One statement instead of one per table: tests of rules begin with an empty store more than two thousand times. */
const EMPTY_ALL = Object.keys(tables)
  .map((table) => `DELETE FROM ${table}`)
  .join('; ')

/** A console with an empty store. */
export async function freshConsole(change: Readonly<Record<string, string>> = {}): Promise<Config> {
  const config = configureForTest({ DATABASE_URL: await perProcess('test store', testDatabaseUrl), ...change })
  // What the tests before left under way may be in the way.
  for (const sessionId of [...liveSessions().keys()]) removeLiveSession(sessionId)
  await inTransaction(await store(), async (db) => {
    // As a replica, for which neither triggers nor foreign keys count: what is append-only goes, too.
    await sql`SET LOCAL session_replication_role = replica`.execute(db)
    await sql
      .raw(`DO $$ BEGIN ${EMPTY_ALL}; UPDATE log_head SET size = 0, root = '', checkpoint = '', at = '', cosigned = '', cosigned_size = 0, cosigned_at = 0, cosigned_received = 0, conflict = '';
      PERFORM setval('command_event_sequence', 1, false); END $$`)
      .execute(db)
  })
  // Faults that a test before left unused would meet this one.
  const service = await peekPerProcess<Promise<{ clearFaults(): Promise<void> }>>('test service')
  await service?.clearFaults()
  // What was noted or read there is to be noted and read anew.
  peekPerProcess<AbortController>('later revocations')?.abort()
  const begun = ['state notes', 'resumed sessions', 'resumed commands', 'thread refreshes', 'later revocations']
  for (const name of [...begun, 'service clock']) putPerProcess(name, undefined)
  return config
}
