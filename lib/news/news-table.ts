import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'

/** After a longer gap, a process treats everything as changed. */
export const KEPT_SECONDS = 300

export interface NewsRead {
  readonly rows: readonly { readonly id: number; readonly key: string }[]
  /** All transactions before this id were read. */
  readonly next: number
}

/** A transaction with a small id may commit late, so each read starts at the oldest one that was still running. */
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

export async function eraseNews(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('news')
    .where('at', '<', sql<number>`extract(epoch FROM clock_timestamp()) - ${KEPT_SECONDS}`)
    .execute()
}
