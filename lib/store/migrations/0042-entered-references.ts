import { type Kysely, sql } from 'kysely'

/** As locks on bank references were written when this migration was. */
const bankKeyOf = (text: string) => `bank:${text.normalize('NFKC').replace(/\s+/g, ' ').trim().toUpperCase()}`

/**
 * Who entered which reference at a line of a statement: kept when the line is edited again, or its statement is discarded. Begins
 * with what the journal has of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE entered_reference (
      edit_id text PRIMARY KEY REFERENCES command (id), actor text NOT NULL, reference text, bank_key text)`.execute(db)
  await sql`CREATE INDEX entered_reference_reference ON entered_reference (reference)`.execute(db)
  await sql`CREATE INDEX entered_reference_bank_key ON entered_reference (bank_key)`.execute(db)
  const { rows: edits } = await sql<{ id: string; actor: string; body: string }>`
    SELECT command.id, command.actor, event.body FROM command JOIN command_event event ON event.command_id = command.id
    WHERE command.kind = 'statement.edit-line'`.execute(db)
  for (const { id, actor, body } of edits) {
    const { what, new: entered } = JSON.parse(body) as { what?: unknown; new?: unknown }
    if (typeof entered !== 'string' || entered.trim() === '') continue
    const reference = what === 'reference' || what === 'accept' ? entered : null
    const bankKey = what === 'bank-reference' ? bankKeyOf(entered) : null
    if (reference === null && bankKey === null) continue
    await sql`INSERT INTO entered_reference VALUES (${id}, ${actor}, ${reference}, ${bankKey}) ON CONFLICT DO NOTHING`.execute(
      db,
    )
  }
  await sql`
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entered_reference
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db)
}
