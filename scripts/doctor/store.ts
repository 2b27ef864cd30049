import { type Kysely, sql } from 'kysely'
import { unsatisfiableRules } from '#lib/commands/policy/approvers-of-rules.ts'
import type { Config } from '#lib/config/config.ts'
import type { Policy } from '#lib/config/policy.ts'
import { isDatabaseError } from '#lib/database/database-error.ts'
import { type Opened, open } from '#lib/database/open.ts'
import { assertPrivate, LoosePath } from '#lib/database/private-folder.ts'
import { isLogSignedWith, isLogWrittenWith } from '#lib/journal/sequencer.ts'
import { appliedMigrations, encodingOf, migrationNames } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { networkFault } from './ask.ts'
import { type Fault, type Finding, found, good, note } from './faults.ts'

const NAME = 'DATABASE_URL'

/** By SQLSTATE. */
const FAULTS: Readonly<Record<string, Fault>> = {
  '28P01': 'store-sign-in',
  '28000': 'store-refuses',
  '3D000': 'store-missing',
  '25006': 'store-read-only',
  '42501': 'store-rights',
  '08P01': 'store-pooling',
}

/** Triggers that make these tables append-only. */
const GUARDS = {
  approval: ['append_only', 'erase_only'],
  approval_request: ['append_only', 'erase_only'],
  audit_entry: ['append_only', 'kept'],
  case_note: ['append_only', 'erase_only'],
  command_event: ['append_only', 'erase_only'],
  entered_reference: ['append_only'],
  log_leaf: ['append_only'],
  log_node: ['append_only'],
  passkey_assertion: ['append_only'],
} as const

type StoreConfig = Pick<Config, 'databaseUrl' | 'auditKey' | 'logKeys'> & { readonly policy: Pick<Policy, 'rules'> }

/** Leaves no data behind. */
export async function lookAtStore(config: StoreConfig): Promise<readonly Finding[]> {
  const { databaseUrl: url } = config
  if (url.startsWith('file:')) return [folderFinding(url.slice('file:'.length))]
  if (url === 'memory:') return [note(`${NAME} is in memory: data is lost when the process ends.`)]
  let opened: Opened<Tables> | null = null
  try {
    opened = await open<Tables>(url, { poolSize: 1 })
    const encoding = await encodingOf(opened.db)
    if (encoding !== 'UTF8') return [found('store-encoding', NAME, encoding)]
    await tryRights(opened.db)
    const findings = [...(await migrationFindings(opened.db, config)), ...(await transportFinding(opened.db, url))]
    const wrong = findings.some(({ level }) => level === 'wrong')
    return wrong
      ? findings
      : [good(`${NAME} is a usable store.`), ...findings, ...(await ruleFindings(opened.db, config.policy.rules))]
  } catch (error) {
    return [storeFault(error, url)]
  } finally {
    await opened?.close().catch(() => {})
  }
}

function storeFault(error: unknown, url: string): Finding {
  const code = isDatabaseError(error) ? error.code : ''
  const { host, pathname } = URL.parse(url) ?? {}
  const at = `${host ?? ''}${pathname ?? ''}`
  const known = FAULTS[code]
  if (known !== undefined) return found(known, NAME, at)
  const network = networkFault(code)
  return found(network === 'unreachable' ? 'store-unreachable' : network, NAME, code === '' ? at : `${at} (${code})`)
}

/** Does what migrations do, then rolls back. */
async function tryRights(db: Kysely<Tables>): Promise<void> {
  const takenBack = new Error('taken back')
  try {
    await db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = 10000`.execute(trx)
      await sql`create table doctor_table (id bigint primary key)`.execute(trx)
      await sql`alter table doctor_table add column note text`.execute(trx)
      await sql`create function doctor_function() returns trigger language plpgsql as $$ begin return new; end $$`.execute(
        trx,
      )
      await sql`create trigger doctor_trigger before update on doctor_table execute function doctor_function()`.execute(
        trx,
      )
      await sql`insert into doctor_table (id) values (1)`.execute(trx)
      throw takenBack
    })
  } catch (error) {
    if (error !== takenBack) throw error
  }
}

/** Notes only: people who never signed in are not known. */
async function ruleFindings(db: Kysely<Tables>, rules: Policy['rules']): Promise<readonly Finding[]> {
  const needPeople = rules.some(({ approval, passkey }) => approval !== undefined || passkey)
  if (!needPeople || (await appliedMigrations(db)).length < migrationNames.length) return []
  return (await unsatisfiableRules(db, rules)).map((fault) => note(`POLICY_FILE, ${fault}`))
}

interface Named {
  readonly name: string
}

async function migrationFindings(db: Kysely<Tables>, { auditKey, logKeys }: StoreConfig): Promise<readonly Finding[]> {
  const tables = await sql<Named & { own: boolean }>`
    select tablename as name, pg_has_role(current_user, tableowner, 'usage') as own from pg_tables
    where schemaname = current_schema()`.execute(db)
  if (!tables.rows.some(({ name }) => name === 'kysely_migration')) {
    const others = tables.rows.length
    const what = others === 0 ? 'The store is empty' : `The database has other tables (${others})`
    return [note(`${what}: the first start makes the console’s tables.`)]
  }
  const foreign = tables.rows.filter(({ own }) => !own)
  if (foreign.length > 0) return [found('store-rights', NAME, `${foreign.length} tables have another owner`)]
  const applied = await appliedMigrations(db)
  const unknown = applied.filter((name) => !migrationNames.includes(name))
  if (unknown.length > 0) return [found('store-foreign', NAME, unknown.join(', '))]
  const ahead = migrationNames.length - applied.length
  return ahead === 0
    ? [
        ...(await guardFindings(db)),
        ...((await isLogWrittenWith(db, auditKey)) ? [] : [found('audit-key', 'AUDIT_KEY')]),
        ...((await isLogSignedWith(db, logKeys)) ? [] : [found('log-key', 'LOG_KEY')]),
      ]
    : [note(`The store is older than this build: the next start runs ${ahead} migrations.`)]
}

async function guardFindings(db: Kysely<Tables>): Promise<readonly Finding[]> {
  const guards = await sql<Named>`
    select relname || ' ' || tgname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
    where tgenabled in ('O', 'A') and relnamespace = current_schema()::regnamespace`.execute(db)
  const held = new Set(guards.rows.map(({ name }) => name))
  return Object.entries(GUARDS)
    .filter(([table, triggers]) => triggers.some((trigger) => !held.has(`${table} ${trigger}`)))
    .map(([table]) => found('store-guard', NAME, table))
}

/** Asks the server: the address may not mention TLS. Behind PgBouncer, this is PgBouncer's connection. */
async function transportFinding(db: Kysely<Tables>, url: string): Promise<readonly Finding[]> {
  if (['localhost', '127.0.0.1', '[::1]', ''].includes(URL.parse(url)?.hostname ?? '')) return []
  const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db)
  return rows[0]?.ssl === false ? [found('store-plain', NAME, undefined, 'note')] : []
}

/** The first start creates a missing folder. */
export function folderFinding(folder: string): Finding {
  try {
    assertPrivate(folder)
    return note(`${NAME} is the embedded store in ${folder}: one process, no waiting for the disk.`)
  } catch (error) {
    if (error instanceof LoosePath) return found('folder', NAME, `others can read or change ${folder}`)
    throw error
  }
}
