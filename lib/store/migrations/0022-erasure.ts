import { type Kysely, sql } from 'kysely'

/** The audit trail is in the signed log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'ALTER TABLE command_event ADD COLUMN erased text',
    'ALTER TABLE audit_entry ADD COLUMN sequence bigint',
    `CREATE INDEX audit_entry_of_console ON audit_entry (kind, at DESC) WHERE actor = 'console'`,
  ])
    await sql.raw(statement).execute(db)
}
