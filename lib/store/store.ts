import 'server-only'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { config } from '#lib/config/config.ts'
import { peekPerProcess, perProcess, putPerProcess } from '#lib/config/per-process.ts'
import type { PoolCount } from '#lib/database/open.ts'
import { type Opened, open } from '#lib/database/open.ts'
import * as baseline from './migrations/0001-baseline.ts'
import * as foundReferences from './migrations/0002-found-references.ts'
import * as statementAccounts from './migrations/0003-statement-accounts.ts'
import * as lineDetails from './migrations/0004-line-details.ts'
import * as statementListIndexes from './migrations/0005-statement-list-indexes.ts'
import * as payerMemory from './migrations/0006-payer-memory.ts'
import * as lastMessages from './migrations/0007-last-messages.ts'
import * as decisions from './migrations/0008-decisions.ts'
import * as absences from './migrations/0009-absences.ts'
import * as requestKeys from './migrations/0010-request-keys.ts'
import * as approvalOrder from './migrations/0011-approval-order.ts'
import * as knownPeople from './migrations/0012-known-people.ts'
import * as handOvers from './migrations/0013-hand-overs.ts'
import * as approvals from './migrations/0014-approvals.ts'
import * as caseAmounts from './migrations/0015-case-amounts.ts'
import * as mentionsAndWatches from './migrations/0016-mentions-and-watches.ts'
import * as caseCategories from './migrations/0017-case-categories.ts'
import * as answerDeadlines from './migrations/0018-answer-deadlines.ts'
import * as disputedSeen from './migrations/0019-disputed-seen.ts'
import * as signedLog from './migrations/0020-signed-log.ts'
import * as evidence from './migrations/0021-evidence.ts'
import * as erasure from './migrations/0022-erasure.ts'
import * as auditSink from './migrations/0023-audit-sink.ts'
import * as messagesOfOthers from './migrations/0024-messages-of-others.ts'
import * as returnedLines from './migrations/0025-returned-lines.ts'
import * as changesByTrace from './migrations/0026-changes-by-trace.ts'
import * as caseCounts from './migrations/0027-case-counts.ts'
import * as confirmationReceived from './migrations/0028-confirmation-received.ts'
import type { Tables } from './tables.ts'
import { inTransaction } from './transaction.ts'

const STATEMENT_MS = 10_000

async function openStore(): Promise<Opened<Tables>> {
  const url = config().databaseUrl
  const opened = await open<Tables>(url, { statementMs: STATEMENT_MS })
  try {
    if (opened.engine === 'postgres') await migrateAtLeisure(url)
    else await migrate(opened.db)
    return opened
  } catch (cause) {
    await opened.close()
    throw cause
  }
}

/** A separate connection without a statement timeout: an index on a large table takes long. */
async function migrateAtLeisure(url: string): Promise<void> {
  const opened = await open<Tables>(url, { poolSize: 1 })
  try {
    await migrate(opened.db)
  } finally {
    await opened.close()
  }
}

export async function store(): Promise<Kysely<Tables>> {
  const opened = await perProcess('store', () => {
    const opening = openStore()
    // A failed opening must be forgotten, or the console never recovers.
    opening.catch(() => putPerProcess('store', undefined))
    return opening
  })
  return opened.db
}

export const countStorePool = async (): Promise<PoolCount | null> =>
  (await peekPerProcess<Promise<Opened<Tables>>>('store'))?.countPool() ?? null

export async function closeStore(): Promise<void> {
  await (await peekPerProcess<Promise<Opened<Tables>>>('store'))?.close()
}

/** Never change a released migration. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-baseline': baseline,
  '0002-found-references': foundReferences,
  '0003-statement-accounts': statementAccounts,
  '0004-line-details': lineDetails,
  '0005-statement-list-indexes': statementListIndexes,
  '0006-payer-memory': payerMemory,
  '0007-last-messages': lastMessages,
  '0008-decisions': decisions,
  '0009-absences': absences,
  '0010-request-keys': requestKeys,
  '0011-approval-order': approvalOrder,
  '0012-known-people': knownPeople,
  '0013-hand-overs': handOvers,
  '0014-approvals': approvals,
  '0015-case-amounts': caseAmounts,
  '0016-mentions-and-watches': mentionsAndWatches,
  '0017-case-categories': caseCategories,
  '0018-answer-deadlines': answerDeadlines,
  '0019-disputed-seen': disputedSeen,
  '0020-signed-log': signedLog,
  '0021-evidence': evidence,
  '0022-erasure': erasure,
  '0023-audit-sink': auditSink,
  '0024-messages-of-others': messagesOfOthers,
  '0025-returned-lines': returnedLines,
  '0026-changes-by-trace': changesByTrace,
  '0027-case-counts': caseCounts,
  '0028-confirmation-received': confirmationReceived,
}

export const migrationNames: readonly string[] = Object.keys(migrations)

export class ForeignStore extends Error {
  constructor(names: readonly string[]) {
    super(
      `The store has migrations unknown to this build (${names.join(', ')}). Run the build that made it, or set DATABASE_URL to an empty store.`,
    )
  }
}

/** Waits for other processes' migrations. Throws {@link ForeignStore}. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('migrations'))`.execute(trx)
    const unknown = (await appliedMigrations(trx)).filter((name) => !migrationNames.includes(name))
    if (unknown.length > 0) throw new ForeignStore(unknown)
    const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => ({ ...migrations }) } })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw new Error('the store could not be migrated', { cause: error })
  })
}

/** Empty for a store without tables. */
export async function appliedMigrations(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows: tables } = await sql`SELECT FROM pg_tables
    WHERE schemaname = current_schema() AND tablename = 'kysely_migration'`.execute(db)
  if (tables.length === 0) return []
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return rows.map(({ name }) => name)
}
