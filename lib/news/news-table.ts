import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'

/** Rows are kept so long; a process that has not read for longer takes everything as changed. */
export const KEPT_SECONDS = 300

export interface NewsRead {
  readonly rows: readonly { readonly id: number; readonly key: string }[]
  /** Transactions before this one have ended: what they changed has been told. */
  readonly next: number
}

/**
 * What has been committed since. A transaction that began early and ends late has a small number and is read all the same:
 * from the first one that was still under way, everything is read again the next time.
 */
export async function readNews(db: Kysely<Tables>, from: number | null): Promise<NewsRead> {
  const { rows } = await sql<{ next: number; id: number | null; key: string | null }>`
    SELECT under_way.first AS next, news.id, news.key
    FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS first) AS under_way
    LEFT JOIN news ON news.xact >= coalesce(${from}::bigint, under_way.first)
    ORDER BY news.id`.execute(db)
  return {
    rows: rows.flatMap(({ id, key }) => (id === null || key === null ? [] : [{ id, key }])),
    next: rows[0]?.next ?? 0,
  }
}

/** Old rows tell nobody anything any more. */
export async function eraseNews(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('news')
    .where('at', '<', sql<number>`extract(epoch FROM clock_timestamp()) - ${KEPT_SECONDS}`)
    .execute()
}
