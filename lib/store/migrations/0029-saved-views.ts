import { type Kysely, sql } from 'kysely'

/** Views of tables. The scope is the owner's, or empty where a view is shared: in each, a name stands once for a table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE saved_view (
      id text PRIMARY KEY, table_name text NOT NULL, scope text NOT NULL, owner text NOT NULL, owner_name text NOT NULL,
      name text NOT NULL, name_key text NOT NULL, state text NOT NULL, updated_at text NOT NULL,
      UNIQUE (table_name, scope, name_key))`.execute(db)
}
