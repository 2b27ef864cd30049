import { type Kysely, sql } from 'kysely'

/** The audit trail is in the signed log. Texts about people can be erased: their hashes stay in the log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Nothing but the named columns differs, and `how` is true. */
const erasesOnly = (table: string, columns: readonly string[], how: string): readonly string[] => {
  const others = columns.map((column) => ` - '${column}'`).join('')
  return [
    `DROP TRIGGER append_only ON ${table}`,
    `CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
    `CREATE TRIGGER erase_only BEFORE UPDATE ON ${table} FOR EACH ROW
      WHEN ((to_jsonb(NEW)${others}) IS DISTINCT FROM (to_jsonb(OLD)${others}) OR NOT coalesce(${how}, false))
      EXECUTE FUNCTION refuse_change()`,
  ]
}

const isErased = (column: string): string => `NEW.${column} = '(erased)'`

const statements: readonly string[] = [
  'ALTER TABLE command_event ADD COLUMN erased text',
  'ALTER TABLE command ADD COLUMN erased_at text',
  'CREATE INDEX command_to_erase ON command (settled_at) WHERE erased_at IS NULL',
  'ALTER TABLE audit_entry ADD COLUMN sequence bigint',
  `CREATE INDEX audit_entry_of_console ON audit_entry (kind, at DESC) WHERE actor = 'console'`,
  ...erasesOnly('command_event', ['body', 'salts', 'erased'], "NEW.erased <> coalesce(OLD.erased, '')"),
  ...erasesOnly('approval_request', ['reason'], isErased('reason')),
  ...erasesOnly('approval', ['reason'], isErased('reason')),
  ...erasesOnly('case_note', ['text'], isErased('text')),
  `CREATE FUNCTION kept_since(days integer) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT to_char((now() - make_interval(days => days)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`,
  // AUDIT_KEPT_DAYS may be longer.
  `CREATE OR REPLACE FUNCTION audit_kept_since() RETURNS text LANGUAGE sql STABLE AS $$ SELECT kept_since(90) $$`,
  `CREATE OR REPLACE FUNCTION refuse_early_delete() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.at < audit_kept_since() THEN RETURN OLD; END IF;
      RAISE EXCEPTION '% is kept for 90 days: DELETE is refused', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$`,
]
