import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import { databaseNow } from '#lib/store/transaction.ts'

/** A viewer of a dead process disappears after this time. */
const LEASE_SECONDS = 30

interface Viewer {
  readonly streamId: string
  readonly caseId: string
  readonly actor: string
  readonly name: string
}

export async function putViewer(db: Kysely<Tables>, { streamId, caseId, actor, name }: Viewer): Promise<void> {
  const ends_at = sql<number>`${databaseNow} + ${LEASE_SECONDS}`
  await db
    .insertInto('case_viewer')
    .values({ stream_id: streamId, case_id: caseId.toLowerCase(), actor, name, ends_at })
    .onConflict((conflict) => conflict.column('stream_id').doUpdateSet({ ends_at }))
    .execute()
}

/** Returns the streams whose lease had not expired. */
export async function renewViewers(db: Kysely<Tables>, streamIds: readonly string[]): Promise<ReadonlySet<string>> {
  const renewed = await db
    .updateTable('case_viewer')
    .set({ ends_at: sql<number>`${databaseNow} + ${LEASE_SECONDS}` })
    .where('stream_id', '=', sql<string>`ANY(${streamIds}::text[])`)
    .returning('stream_id')
    .execute()
  return new Set(renewed.map(({ stream_id }) => stream_id))
}

/** Also removes expired viewers. */
export async function dropViewer(db: Kysely<Tables>, streamId: string): Promise<void> {
  await db
    .deleteFrom('case_viewer')
    .where(({ or, eb }) => or([eb('stream_id', '=', streamId), eb('ends_at', '<', databaseNow)]))
    .execute()
}

export async function viewersOf(
  db: Kysely<Tables>,
  caseId: string,
): Promise<readonly { readonly actor: string; readonly name: string }[]> {
  return await db
    .selectFrom('case_viewer')
    .select(({ fn }) => ['actor', fn.max('name').as('name')])
    .where('case_id', '=', caseId.toLowerCase())
    .where('ends_at', '>', databaseNow)
    .groupBy('actor')
    .orderBy('name')
    .orderBy('actor')
    .execute()
}
