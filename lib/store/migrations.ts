import 'server-only'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { makeAppendOnly } from '#lib/database/open.ts'
import { up as baseline } from './baseline.ts'

/** Never change a released migration. */
const ups: Readonly<Record<string, (db: Kysely<unknown>) => Promise<void>>> = {
  '0001-baseline': baseline,
  /** References that the text of a line names exactly, accepted together, are not counted as entered by hand. */
  async '0002-found-references'(db) {
    await sql`ALTER TABLE entered_reference ADD COLUMN found boolean NOT NULL DEFAULT false`.execute(db)
    await sql`ALTER TABLE statement_line DROP CONSTRAINT statement_line_sought_from_check`.execute(db)
    await sql`ALTER TABLE statement_line ADD CONSTRAINT statement_line_sought_from_check
      CHECK (sought_from IN ('field', 'text', 'found', 'hand'))`.execute(db)
  },
  async '0003-statement-accounts'(db) {
    await sql`ALTER TABLE statement ADD COLUMN accounts text NOT NULL DEFAULT '[]'`.execute(db)
  },
  /** Lines of before have no account, so they match any; those with a bank reference have another fingerprint by now. */
  async '0004-line-details'(db) {
    for (const column of ['account', 'value_date', 'payer_name', 'payer_account']) {
      await sql`ALTER TABLE statement_line ADD COLUMN ${sql.id(column)} text NOT NULL DEFAULT ''`.execute(db)
    }
    await sql`
      CREATE TABLE statement_file (
        statement_id text PRIMARY KEY REFERENCES statement (id) ON DELETE CASCADE, bytes bytea NOT NULL)`.execute(db)
    // Payments that went back are found by their amount.
    await sql`CREATE INDEX statement_line_by_amount ON statement_line ((amount::numeric))`.execute(db)
  },
  /** The list of statements counts open lines; most lines are done or set aside. */
  async '0005-statement-list-indexes'(db) {
    await sql`CREATE INDEX statement_line_unhandled ON statement_line (statement_id)
      WHERE command_id IS NULL AND set_aside_reason IS NULL`.execute(db)
  },
  /** Deposits that statement lines confirmed, by the payer's account under a keyed hash, and suggestions made from them. */
  async '0006-payer-memory'(db) {
    await sql`
      CREATE TABLE payer_payment (
        command_id text PRIMARY KEY REFERENCES command (id), payer text NOT NULL, wallet text NOT NULL,
        day text NOT NULL)`.execute(db)
    await sql`CREATE INDEX payer_payment_by_payer ON payer_payment (payer)`.execute(db)
    await sql`ALTER TABLE statement_suggestion DROP CONSTRAINT statement_suggestion_found_in_check`.execute(db)
    await sql`
      ALTER TABLE statement_suggestion ADD COLUMN paid_count integer, ADD COLUMN paid_last text,
        ADD CONSTRAINT statement_suggestion_found_in_check CHECK (found_in IN ('field', 'text', 'payer'))`.execute(db)
    await sql`ALTER TABLE statement_line DROP CONSTRAINT statement_line_sought_from_check`.execute(db)
    await sql`
      ALTER TABLE statement_line ADD CONSTRAINT statement_line_sought_from_check
        CHECK (sought_from IN ('field', 'text', 'found', 'payer', 'hand'))`.execute(db)
  },
  /** The queue filters and sorts by the last message of each case. */
  async '0007-last-messages'(db) {
    await sql`ALTER TABLE case_thread ADD COLUMN last_key text COLLATE "C", ADD COLUMN last_author text`.execute(db)
    await sql`
      UPDATE case_thread SET last_key = last.order_key, last_author = last.author
      FROM (SELECT DISTINCT ON (case_id) * FROM case_message ORDER BY case_id, order_key DESC) AS last
      WHERE last.case_id = case_thread.case_id`.execute(db)
  },
  /** Activity lists approvals and declines by time, and those of a person. */
  async '0008-decisions'(db) {
    await sql`
      CREATE INDEX command_event_decision_by_time ON command_event (at DESC)
      WHERE body ~ '"decision":"(approved|declined)","by":"'`.execute(db)
    await sql`
      CREATE INDEX command_event_decision_by_person
      ON command_event (substring(body FROM '"decision":"[a-z]+","by":"([^"]*)"'), at DESC)
      WHERE body ~ '"decision":"(approved|declined)","by":"'`.execute(db)
  },
  /** The day of return of each absent colleague. */
  async '0009-absences'(db) {
    await sql`
      CREATE TABLE absence (
        actor text PRIMARY KEY, until text NOT NULL, command_id text NOT NULL REFERENCES command (id))`.execute(db)
    await sql`
      CREATE FUNCTION news_of_absence() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO news (key) VALUES ('queue'); RETURN NULL; END $$`.execute(db)
    await sql`
      CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON absence
      FOR EACH ROW EXECUTE FUNCTION news_of_absence()`.execute(db)
  },
  /** The lock keys of each change that waits, so that one effect has one open request. */
  async '0010-request-keys'(db) {
    await sql`ALTER TABLE approval_request ADD COLUMN keys text[] NOT NULL DEFAULT '{}'`.execute(db)
  },
  /** Approvals lists requests, the newest first. */
  async '0011-approval-order'(db) {
    await sql`CREATE INDEX approval_request_by_time ON approval_request (asked_at DESC, command_id DESC)`.execute(db)
  },
  /** Scopes as each person's own session last read them, to judge whether a change can be approved. */
  async '0012-known-people'(db) {
    await sql`
      CREATE TABLE known_person (
        actor text PRIMARY KEY, scopes text NOT NULL, administers boolean NOT NULL, known_at text NOT NULL)`.execute(db)
    await sql`CREATE INDEX audit_entry_sign_in ON audit_entry (at) WHERE kind = 'session.sign-in'`.execute(db)
  },
  /** Deposits that a person over their limit handed to a colleague. */
  async '0013-hand-overs'(db) {
    await sql`ALTER TABLE known_person ADD COLUMN name text NOT NULL DEFAULT ''`.execute(db)
    await sql`
      CREATE TABLE hand_over (
        reference text PRIMARY KEY, command_id text NOT NULL REFERENCES command (id), from_actor text NOT NULL,
        from_name text NOT NULL, to_actor text NOT NULL, to_name text NOT NULL, amount text NOT NULL,
        bank_reference text NOT NULL, statement_amount text NOT NULL, reason text NOT NULL, at text NOT NULL,
        handed_back_at text)`.execute(db)
    await sql`CREATE INDEX hand_over_to ON hand_over (to_actor)`.execute(db)
    await sql`CREATE INDEX hand_over_from ON hand_over (from_actor)`.execute(db)
    await sql`
      CREATE FUNCTION news_of_hand_over() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_OP <> 'INSERT' THEN
            INSERT INTO news (key) VALUES ('hand-overs:' || OLD.to_actor), ('hand-overs:' || OLD.from_actor);
          END IF;
          IF TG_OP <> 'DELETE' THEN
            INSERT INTO news (key) VALUES ('hand-overs:' || NEW.to_actor), ('hand-overs:' || NEW.from_actor);
          END IF;
          RETURN NULL;
        END $$`.execute(db)
    await sql`
      CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON hand_over
      FOR EACH ROW EXECUTE FUNCTION news_of_hand_over()`.execute(db)
  },
  /** Approvers may read what is new, and then decline what they approved. Earlier requests are found by lock key. */
  async '0014-approvals'(db) {
    await sql`ALTER TABLE approval_request ADD COLUMN reread boolean NOT NULL DEFAULT false`.execute(db)
    await sql`ALTER TABLE approval DROP CONSTRAINT approval_pkey,
      ADD PRIMARY KEY (command_id, actor, approves)`.execute(db)
    await sql`CREATE INDEX approval_request_keys ON approval_request USING gin (keys)
      WITH (fastupdate = off)`.execute(db)
  },
  /** Amounts of disputed transactions as they were read, for filters and orders of the case list. */
  async '0015-case-amounts'(db) {
    await sql`CREATE TABLE case_amount (reference text PRIMARY KEY, amount numeric,
      read_at timestamptz NOT NULL)`.execute(db)
  },
  /** Whom internal notes mention, and who watches a case, with what each has seen. */
  async '0016-mentions-and-watches'(db) {
    await sql`
      CREATE TABLE case_mention (
        note_id text NOT NULL REFERENCES case_note (id), case_id text NOT NULL CHECK (case_id = lower(case_id)),
        actor text NOT NULL, name text NOT NULL, seen_at text, PRIMARY KEY (note_id, actor))`.execute(db)
    await sql`CREATE INDEX case_mention_by_case ON case_mention (case_id)`.execute(db)
    await sql`CREATE INDEX case_mention_unseen ON case_mention (actor, case_id) WHERE seen_at IS NULL`.execute(db)
    await sql`
      CREATE TABLE case_watch (
        actor text NOT NULL, case_id text NOT NULL CHECK (case_id = lower(case_id)),
        command_id text NOT NULL REFERENCES command (id), seen_holder text NOT NULL, seen_notes integer NOT NULL,
        PRIMARY KEY (actor, case_id))`.execute(db)
    await sql`CREATE INDEX case_watch_by_case ON case_watch (case_id)`.execute(db)
    await sql`
      CREATE FUNCTION news_of_notice() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE changed record := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
        BEGIN
          INSERT INTO news (key) VALUES ('person:' || changed.actor), ('case:' || changed.case_id);
          RETURN NULL;
        END $$`.execute(db)
    for (const table of ['case_mention', 'case_watch']) {
      await sql`
        CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON ${sql.table(table)}
        FOR EACH ROW EXECUTE FUNCTION news_of_notice()`.execute(db)
    }
  },
  /** Categories of the team's own, and the one of each case that was resolved here with one. */
  async '0017-case-categories'(db) {
    await sql`
      CREATE TABLE case_category (
        id text PRIMARY KEY, name text NOT NULL, name_key text NOT NULL UNIQUE, changed_by text NOT NULL,
        changed_by_name text NOT NULL, changed_at text NOT NULL, removed_at text)`.execute(db)
    await sql`
      CREATE TABLE case_decision (
        case_id text PRIMARY KEY CHECK (case_id = lower(case_id)), category_id text NOT NULL REFERENCES case_category (id),
        command_id text NOT NULL UNIQUE REFERENCES command (id))`.execute(db)
    await sql`CREATE INDEX case_decision_by_category ON case_decision (category_id)`.execute(db)
    await sql`
      CREATE FUNCTION news_of_listed_case() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO news (key) VALUES
            ('case:' || CASE TG_OP WHEN 'DELETE' THEN OLD.case_id ELSE NEW.case_id END), ('queue');
          RETURN NULL;
        END $$`.execute(db)
    await sql`
      CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON case_decision
      FOR EACH ROW EXECUTE FUNCTION news_of_listed_case()`.execute(db)
  },
  /** Until when a party is asked to answer; a snoozed case wakes then. */
  async '0018-answer-deadlines'(db) {
    await sql`
      CREATE TABLE answer_deadline (
        case_id text PRIMARY KEY CHECK (case_id = lower(case_id)), until text NOT NULL, asked_at text NOT NULL,
        after_key text COLLATE "C" NOT NULL, command_id text NOT NULL REFERENCES command (id))`.execute(db)
    await sql`ALTER TABLE case_snooze ADD COLUMN wake_at text`.execute(db)
    await sql`
      CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON answer_deadline
      FOR EACH ROW EXECUTE FUNCTION news_of_listed_case()`.execute(db)
  },
  /** Few of the transactions that were seen are disputed. */
  async '0019-disputed-seen'(db) {
    await sql`CREATE INDEX state_seen_disputed ON state_seen (first_seen_at) WHERE state = 'DISPUTED'`.execute(db)
  },
  /** Events get a place in a signed tree. The chain ends: its last MAC is the first leaf. */
  async '0020-signed-log'(db) {
    for (const statement of [
      // Processes of an earlier version fail to write from here on, so that the chain has no event after its end.
      'ALTER TABLE command_chain RENAME TO ended_chain',
      'ALTER TABLE command_event ALTER COLUMN previous_mac DROP NOT NULL',
      'ALTER TABLE command_event ADD COLUMN salts text',
      'CREATE SEQUENCE command_event_sequence',
      `SELECT setval('command_event_sequence', GREATEST(sequence, 1), sequence > 0) FROM ended_chain`,
      `CREATE TABLE log_pending (
        sequence bigint PRIMARY KEY, refused boolean NOT NULL DEFAULT false,
        since double precision NOT NULL DEFAULT extract(epoch FROM clock_timestamp()))`,
      // The first leaf has no event: it is the chain's end.
      `CREATE TABLE log_leaf ("index" bigint PRIMARY KEY, sequence bigint UNIQUE)`,
      `CREATE TABLE log_node (
        level integer NOT NULL, "index" bigint NOT NULL, hash text NOT NULL, PRIMARY KEY (level, "index"))`,
      `CREATE TABLE log_head (
        one integer PRIMARY KEY CHECK (one = 1), size bigint NOT NULL, root text NOT NULL, checkpoint text NOT NULL,
        at text NOT NULL)`,
      'ALTER TABLE journal_check RENAME end_mac TO root',
      `INSERT INTO log_head VALUES (1, 0, '', '', '')`,
    ])
      await sql.raw(statement).execute(db)
    for (const table of ['log_leaf', 'log_node']) await makeAppendOnly(db, table)
  },
  /** The signed log has events that no command made. What people were shown for confirmation stays. */
  async '0021-evidence'(db) {
    for (const statement of [
      'ALTER TABLE command_event ALTER COLUMN command_id DROP NOT NULL',
      // The latest confirmation, and one that this log did not grow from.
      `ALTER TABLE log_head
        ADD COLUMN cosigned text NOT NULL DEFAULT '',
        ADD COLUMN cosigned_size bigint NOT NULL DEFAULT 0,
        ADD COLUMN cosigned_at bigint NOT NULL DEFAULT 0,
        ADD COLUMN conflict text NOT NULL DEFAULT ''`,
      // JSON of what the dialog said.
      'ALTER TABLE command ADD COLUMN confirm_text text',
    ])
      await sql.raw(statement).execute(db)
  },
  /** The audit trail is in the signed log. Texts about people can be erased: their hashes stay in the log. */
  async '0022-erasure'(db) {
    for (const statement of ERASURE) await sql.raw(statement).execute(db)
  },
  /** How far the signed log was streamed, by target. */
  async '0023-audit-sink'(db) {
    // A target is a SHA-256: an address may have secrets.
    await sql`
      CREATE TABLE log_sink (
        target text PRIMARY KEY, next_index bigint NOT NULL, holder text NOT NULL, held_until double precision NOT NULL,
        CONSTRAINT log_sink_next_index CHECK (next_index >= 0))`.execute(db)
  },
  /** With the last message of anyone but its last author, unread cases are counted without their messages. */
  async '0024-messages-of-others'(db) {
    await sql`ALTER TABLE case_thread ADD COLUMN other_key text COLLATE "C"`.execute(db)
    await sql`
      UPDATE case_thread SET other_key = (SELECT max(order_key) FROM case_message AS message
        WHERE message.case_id = case_thread.case_id AND author <> last_author)
      WHERE last_key IS NOT NULL`.execute(db)
  },
  /** Which return of which statement set a line aside, and what a repeated line's own file says of a return. */
  async '0025-returned-lines'(db) {
    await sql`
      ALTER TABLE statement_line
        ADD COLUMN returned text NOT NULL DEFAULT '',
        ADD COLUMN returned_statement text,
        ADD COLUMN returned_key text`.execute(db)
    await indexLinesBy(db, 'returned_key')
    await indexLinesBy(db, 'returned_statement')
    await indexLinesBy(db, 'seen_statement')
  },
  async '0026-changes-by-trace'(db) {
    await sql`CREATE INDEX command_by_trace ON command (trace_id) WHERE trace_id IS NOT NULL`.execute(db)
  },
  async '0027-case-counts'(db) {
    await sql`
      CREATE TABLE case_count (status text NOT NULL, day text NOT NULL COLLATE "C", count bigint NOT NULL,
        PRIMARY KEY (status, day))`.execute(db)
    await sql`
      CREATE FUNCTION count_cases() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- Sorted, so that two writers lock rows in the same order.
        IF TG_OP = 'INSERT' THEN
          INSERT INTO case_count SELECT status, left(created_key, 10), count(*) FROM added GROUP BY 1, 2 ORDER BY 1, 2
          ON CONFLICT (status, day) DO UPDATE SET count = case_count.count + excluded.count;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO case_count SELECT status, left(created_key, 10), -count(*) FROM gone GROUP BY 1, 2 ORDER BY 1, 2
          ON CONFLICT (status, day) DO UPDATE SET count = case_count.count + excluded.count;
        ELSE
          INSERT INTO case_count SELECT status, left(created_key, 10), sum(change) FROM (
            SELECT status, created_key, 1 AS change FROM added UNION ALL SELECT status, created_key, -1 FROM gone
          ) AS moved GROUP BY 1, 2 HAVING sum(change) <> 0 ORDER BY 1, 2
          ON CONFLICT (status, day) DO UPDATE SET count = case_count.count + excluded.count;
        END IF;
        RETURN NULL;
      END $$`.execute(db)
    for (const [name, event, tables] of [
      ['count_added', 'INSERT', 'NEW TABLE AS added'],
      ['count_gone', 'DELETE', 'OLD TABLE AS gone'],
      ['count_moved', 'UPDATE', 'OLD TABLE AS gone NEW TABLE AS added'],
    ])
      await sql
        .raw(`CREATE TRIGGER ${name} AFTER ${event} ON case_index REFERENCING ${tables}
          FOR EACH STATEMENT EXECUTE FUNCTION count_cases()`)
        .execute(db)
    // The triggers hold back writers until all of this is committed.
    await sql`
      INSERT INTO case_count SELECT status, left(created_key, 10), count(*) FROM case_index GROUP BY 1, 2`.execute(db)
  },
  async '0028-confirmation-received'(db) {
    await sql`ALTER TABLE log_head ADD COLUMN cosigned_received double precision NOT NULL DEFAULT 0`.execute(db)
    await sql`UPDATE log_head SET cosigned_received = cosigned_at`.execute(db)
  },
  async '0029-ended-idp-session'(db) {
    await sql`ALTER TABLE ended_token ADD COLUMN idp_sid text`.execute(db)
    await sql`
      CREATE OR REPLACE FUNCTION keep_ended_token() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO ended_token (session_id, box, idp_sid, kept_until) VALUES (OLD.id, OLD.box, OLD.idp_sid,
            to_char((now() + interval '10 minutes') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
          RETURN NULL;
        END $$`.execute(db)
  },
  /** Debits, for payments that are imported after the file in which they went back. */
  async '0030-statement-debits'(db) {
    await sql`
      CREATE TABLE statement_debit (
        statement_id text NOT NULL REFERENCES statement (id) ON DELETE CASCADE, number integer NOT NULL,
        money text NOT NULL, key text NOT NULL, debit text NOT NULL, PRIMARY KEY (statement_id, number))`.execute(db)
    await sql`CREATE INDEX statement_debit_by_money ON statement_debit (money)`.execute(db)
    await sql`
      UPDATE statement_line SET returned_key = encode(sha256(convert_to(returned_key, 'UTF8')), 'hex')
      WHERE returned_key IS NOT NULL`.execute(db)
  },
  async '0031-logout-during-sign-in'(db) {
    await sql`
      ALTER TABLE logout_token ADD COLUMN sid text, ADD COLUMN sub text, ADD COLUMN issued_at double precision,
        ADD COLUMN arrived_at text, ADD COLUMN is_pending boolean`.execute(db)
  },
  /** For the hourly erasure, and the deposits of a day. */
  async '0032-daily-indexes'(db) {
    await sql`CREATE INDEX statement_line_with_text ON statement_line (statement_id)
      WHERE text <> '(erased)' OR payer_name <> '' OR payer_account <> ''`.execute(db)
    await sql`CREATE INDEX command_settled ON command (kind, settled_at) WHERE state IN ('done', 'applied')`.execute(db)
  },
  /** Searches of before may have been cut: what was accepted from them is confirmed singly. */
  async '0033-whole-searches'(db) {
    await sql`ALTER TABLE statement_suggestion ADD COLUMN is_whole boolean NOT NULL DEFAULT false`.execute(db)
    await sql`UPDATE statement_line SET sought_from = 'text' WHERE sought_from = 'found'
      AND NOT EXISTS (SELECT FROM command WHERE id = command_id AND state IN ('done', 'applied'))`.execute(db)
  },
}

export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  Object.entries(ups).map(([name, up]) => [name, { up }]),
)

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

const ERASURE: readonly string[] = [
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

/** Few lines have a value. */
async function indexLinesBy(db: Kysely<unknown>, column: string): Promise<void> {
  await sql`
    CREATE INDEX ${sql.id(`statement_line_by_${column}`)} ON statement_line (${sql.id(column)})
    WHERE ${sql.id(column)} IS NOT NULL`.execute(db)
}
