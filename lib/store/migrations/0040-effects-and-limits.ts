import { type Kysely, sql } from 'kysely'

/**
 * A command keeps the digest of its effect and the version of the policy that it was made under; what limits judge it by; and
 * since when it counts, in seconds since 1970 by the database's clock, which all processes share.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE command ADD COLUMN effect text, ADD COLUMN policy text, ADD COLUMN amount numeric,
      ADD COLUMN decision text, ADD COLUMN counted_at double precision`.execute(db)
  await sql`CREATE INDEX command_counted ON command (kind, counted_at, actor) WHERE counted_at IS NOT NULL`.execute(db)
}
