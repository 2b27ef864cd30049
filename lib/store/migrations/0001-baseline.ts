import { type Kysely, sql } from 'kysely'
import { makeAppendOnly } from '#lib/database/open.ts'

const tables: readonly string[] = [
  // Sessions and what belongs to a person.
  `CREATE TABLE session (
    id text PRIMARY KEY, box text NOT NULL, token_serial integer NOT NULL, access_received_at text NOT NULL,
    access_ends_at text NOT NULL, lease_by text, lease_ends_at text, actor text NOT NULL,
    display_name text NOT NULL, user_id text NOT NULL,
    method text NOT NULL CHECK (method IN ('sso', 'password')), created_at text NOT NULL,
    ends_at text NOT NULL, last_active_at text NOT NULL, user_agent text NOT NULL DEFAULT '', idp_sid text,
    idp_subject text, admitted_by text NOT NULL, address text, admin_rule text)`,
  `CREATE INDEX session_actor ON session (actor)`,
  `CREATE INDEX session_idp_sid ON session (idp_sid)`,
  `CREATE INDEX session_idp_subject ON session (idp_subject)`,
  `CREATE TABLE session_handle (
    id_hash text PRIMARY KEY, session_id text NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    wrapped_key text NOT NULL, key_version integer NOT NULL, answers_until text)`,
  `CREATE INDEX session_handle_by_session ON session_handle (session_id)`,
  `CREATE TABLE ended_handle (id_hash text PRIMARY KEY, why text NOT NULL, kept_until text NOT NULL)`,
  `CREATE INDEX ended_handle_by_end ON ended_handle (kept_until)`,
  `CREATE TABLE ended_token (session_id text PRIMARY KEY, box text NOT NULL, kept_until text NOT NULL)`,
  `CREATE INDEX ended_token_by_end ON ended_token (kept_until)`,
  `CREATE TABLE logout_token (jti text PRIMARY KEY, kept_until text NOT NULL)`,
  `CREATE INDEX logout_token_by_age ON logout_token (kept_until)`,
  `CREATE TABLE known_account (
    account_hash text PRIMARY KEY, actor text NOT NULL, actor_name text NOT NULL, last_at text NOT NULL)`,
  `CREATE TABLE totp_digits (
    actor text PRIMARY KEY, digits integer NOT NULL CHECK (digits BETWEEN 4 AND 20), enrolled_at text)`,
  `CREATE TABLE code_attempt (actor text NOT NULL, at text NOT NULL)`,
  `CREATE INDEX code_attempt_by_actor ON code_attempt (actor, at)`,
  `CREATE TABLE preference (actor text PRIMARY KEY, body text NOT NULL)`,
  `CREATE TABLE text_draft (
    owner text NOT NULL, place text NOT NULL, text text NOT NULL CHECK (length(text) BETWEEN 1 AND 10000),
    updated_at text NOT NULL, write_page text NOT NULL DEFAULT '', write_number integer NOT NULL DEFAULT 0,
    PRIMARY KEY (owner, place))`,
  `CREATE INDEX text_draft_by_age ON text_draft (owner, updated_at)`,
  `CREATE TABLE saved_view (
    id text PRIMARY KEY, table_name text NOT NULL, scope text NOT NULL, owner text NOT NULL,
    owner_name text NOT NULL, name text NOT NULL, name_key text NOT NULL, state text NOT NULL,
    updated_at text NOT NULL, UNIQUE (table_name, scope, name_key))`,
  `CREATE TABLE recent_thing (
    actor text NOT NULL, kind text NOT NULL, id text NOT NULL,
    label text NOT NULL CHECK (length(label) <= 200), shown_at text NOT NULL, pinned_at text,
    PRIMARY KEY (actor, kind, id))`,
  `CREATE TABLE passkey (
    id text PRIMARY KEY, actor text NOT NULL, slot integer NOT NULL CHECK (slot BETWEEN 1 AND 5),
    name text NOT NULL, public_key text NOT NULL, counter bigint NOT NULL, transports text NOT NULL,
    aaguid text NOT NULL, synced boolean NOT NULL, backed_up boolean NOT NULL, created_at text NOT NULL,
    last_used_at text, UNIQUE (actor, slot))`,
  // Commands, their journal and the audit trail.
  `CREATE TABLE command (
    id text PRIMARY KEY, kind text NOT NULL, state text NOT NULL, actor text NOT NULL,
    actor_name text NOT NULL, params text NOT NULL, facts text NOT NULL, outcome text, target text NOT NULL,
    created_at text NOT NULL, sent_at text, settled_at text, boot_id text NOT NULL, batch text,
    reconcile_until text, late_at text, trace_id text, method text, traceparent text, effect text, policy text,
    amount numeric, decision text, counted_at double precision, handled_at text)`,
  `CREATE INDEX command_by_actor ON command (actor, created_at)`,
  `CREATE INDEX command_by_actor_sent ON command (actor, sent_at)`,
  `CREATE INDEX command_by_actor_time ON command (actor, COALESCE(sent_at, created_at) DESC, id DESC)`,
  `CREATE INDEX command_by_kind_sent ON command (kind, sent_at DESC, id) INCLUDE (state, actor)`,
  `CREATE INDEX command_by_state ON command (state, created_at)`,
  `CREATE INDEX command_by_target ON command (target, created_at)`,
  `CREATE INDEX command_by_time ON command (COALESCE(sent_at, created_at) DESC, id DESC)`,
  `CREATE INDEX command_counted ON command (kind, counted_at, actor) WHERE counted_at IS NOT NULL`,
  `CREATE INDEX command_effective ON command (kind, sent_at) WHERE state IN ('done', 'accepted', 'applied')`,
  `CREATE INDEX command_late ON command (late_at) WHERE late_at IS NOT NULL`,
  `CREATE INDEX command_looked_at ON command (reconcile_until) WHERE reconcile_until IS NOT NULL`,
  `CREATE INDEX command_unhandled ON command (created_at) WHERE state = 'not_applied' AND handled_at IS NULL`,
  `CREATE TABLE command_chain (one integer PRIMARY KEY CHECK (one = 1), sequence bigint NOT NULL, mac text NOT NULL)`,
  `CREATE TABLE command_event (
    sequence bigint PRIMARY KEY, command_id text NOT NULL REFERENCES command (id), at text NOT NULL,
    state text NOT NULL, actor text NOT NULL, body text NOT NULL, previous_mac text NOT NULL, mac text NOT NULL)`,
  `CREATE INDEX command_event_by_command ON command_event (command_id, sequence)`,
  // Removals of passkeys, by their owner: the body of an event begins with its kind.
  `CREATE INDEX command_event_passkey_removed ON command_event (actor)
    WHERE state = 'done' AND starts_with(body, '{"kind":"passkey.remove"')`,
  `CREATE TABLE command_lock (
    key text PRIMARY KEY, command_id text NOT NULL REFERENCES command (id), for_ever boolean NOT NULL,
    back_to text REFERENCES command (id))`,
  `CREATE INDEX command_lock_by_command ON command_lock (command_id)`,
  `CREATE TABLE approval_request (
    command_id text PRIMARY KEY REFERENCES command (id), asked_at double precision NOT NULL,
    expires_at double precision NOT NULL, reason text NOT NULL,
    approvals integer NOT NULL CHECK (approvals > 0), scopes text NOT NULL,
    passkey boolean NOT NULL DEFAULT false, administers boolean NOT NULL DEFAULT false)`,
  `CREATE TABLE approval (
    command_id text NOT NULL REFERENCES approval_request (command_id), actor text NOT NULL,
    actor_name text NOT NULL, approves boolean NOT NULL, effect text NOT NULL, reason text NOT NULL,
    at double precision NOT NULL, PRIMARY KEY (command_id, actor))`,
  `CREATE TABLE passkey_challenge (
    challenge text PRIMARY KEY, actor text NOT NULL, command_id text REFERENCES command (id), effect text,
    expires_at double precision NOT NULL)`,
  `CREATE TABLE passkey_assertion (
    challenge text PRIMARY KEY, command_id text NOT NULL REFERENCES command (id), actor text NOT NULL,
    effect text NOT NULL, credential_id text NOT NULL, at double precision NOT NULL)`,
  `CREATE INDEX passkey_assertion_command ON passkey_assertion (command_id)`,
  `CREATE TABLE journal_check (
    one integer PRIMARY KEY CHECK (one = 1), at text NOT NULL, by_name text NOT NULL, events bigint NOT NULL,
    end_mac text NOT NULL, faults text NOT NULL)`,
  `CREATE TABLE audit_entry (
    id text PRIMARY KEY, at text NOT NULL, kind text NOT NULL, actor text NOT NULL, actor_name text NOT NULL,
    method text, about text NOT NULL, facts text NOT NULL)`,
  `CREATE INDEX audit_entry_by_actor_time ON audit_entry (actor, at DESC, id DESC)`,
  `CREATE INDEX audit_entry_by_name ON audit_entry (lower(actor_name), actor) WHERE kind = 'session.sign-in'`,
  `CREATE INDEX audit_entry_by_time ON audit_entry (at DESC, id DESC)`,
  `CREATE TABLE console_process (boot_id text PRIMARY KEY, beat_at double precision NOT NULL)`,
  `CREATE TABLE news (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xact bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint), key text NOT NULL,
    at double precision NOT NULL DEFAULT EXTRACT(epoch FROM clock_timestamp()))`,
  `CREATE INDEX news_by_time ON news (at)`,
  `CREATE INDEX news_by_xact ON news (xact)`,
  // Cards and transactions.
  `CREATE TABLE issued_card (
    id text PRIMARY KEY, last4 text NOT NULL CHECK (length(last4) <= 4), user_id text NOT NULL,
    card_type integer NOT NULL, card_type_name text NOT NULL, printed_name text NOT NULL, issuer text NOT NULL,
    issuer_name text NOT NULL, issued_at text NOT NULL,
    command_id text NOT NULL UNIQUE REFERENCES command (id),
    came text NOT NULL CHECK (came IN ('issued', 'registered')), recorded_by text NOT NULL,
    recorded_at text NOT NULL, blocked_at text, blocked_by text, block_reason text)`,
  `CREATE INDEX issued_card_by_holder ON issued_card (lower(user_id), recorded_at)`,
  `CREATE UNIQUE INDEX issued_card_by_id ON issued_card (lower(id))`,
  `CREATE INDEX issued_card_by_last4 ON issued_card (last4, recorded_at)`,
  `CREATE INDEX issued_card_by_time ON issued_card (recorded_at)`,
  `CREATE TABLE card_type_seen (card_type integer PRIMARY KEY, name text NOT NULL)`,
  // `seen_order` orders what was seen within one second: the service's times are whole seconds.
  `CREATE TABLE state_seen (
    reference text NOT NULL, state text NOT NULL, first_seen_at text NOT NULL,
    seen_order bigint GENERATED ALWAYS AS IDENTITY, since text, PRIMARY KEY (reference, state))`,
  `CREATE INDEX state_seen_folded ON state_seen (lower(replace(reference, ' ', '')))`,
  // Cases.
  // Sort keys are compared byte by byte, whatever the database's language.
  `CREATE TABLE case_index (
    id_key text PRIMARY KEY, arrival bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL,
    reference text NOT NULL, raised_by text NOT NULL, counterparty text NOT NULL, status text NOT NULL,
    reason text NOT NULL, created_at text NOT NULL, created_key text NOT NULL COLLATE "C", resolved_at text,
    resolved_key text NOT NULL COLLATE "C", outcome text, seen_at text NOT NULL COLLATE "C")`,
  `CREATE INDEX case_index_by_age ON case_index (created_key, id_key)`,
  `CREATE INDEX case_index_by_arrival ON case_index (arrival)`,
  `CREATE INDEX case_index_by_counterparty ON case_index (lower(counterparty))`,
  `CREATE INDEX case_index_by_raiser ON case_index (lower(raised_by))`,
  `CREATE INDEX case_index_by_reference ON case_index (reference)`,
  `CREATE INDEX case_index_by_resolution ON case_index (status, resolved_key, id_key)`,
  `CREATE INDEX case_index_by_status_and_age ON case_index (status, created_key, id_key)`,
  `CREATE TABLE case_page (page integer PRIMARY KEY, read_at text NOT NULL, token text NOT NULL)`,
  `CREATE TABLE case_sweep (
    one integer PRIMARY KEY CHECK (one = 1), token text, boot text, lease_until double precision,
    total integer, began_at text, ended_at text, shortfall text CHECK (shortfall IN ('moved', 'problem')),
    problem text, complete_at text, unreadable integer NOT NULL DEFAULT 0)`,
  `CREATE TABLE case_thread (case_id text PRIMARY KEY, payer text, read_at double precision NOT NULL)`,
  `CREATE TABLE case_message (
    case_id text NOT NULL, message_id text NOT NULL, author text NOT NULL, order_key text NOT NULL COLLATE "C",
    PRIMARY KEY (case_id, message_id))`,
  `CREATE TABLE case_reader (
    actor text NOT NULL, case_id text NOT NULL, last_key text NOT NULL COLLATE "C",
    PRIMARY KEY (actor, case_id))`,
  `CREATE TABLE case_claim (
    case_id text PRIMARY KEY CHECK (case_id = lower(case_id)), holder text NOT NULL, holder_name text NOT NULL,
    since text NOT NULL, command_id text NOT NULL REFERENCES command (id))`,
  `CREATE INDEX case_claim_by_holder ON case_claim (holder)`,
  `CREATE TABLE case_candidate (actor text PRIMARY KEY, name text NOT NULL, known_at text NOT NULL)`,
  `CREATE INDEX case_candidate_by_time ON case_candidate (known_at)`,
  `CREATE TABLE case_note (
    id text PRIMARY KEY REFERENCES command (id), case_id text NOT NULL CHECK (case_id = lower(case_id)),
    author text NOT NULL, author_name text NOT NULL,
    text text NOT NULL CHECK (length(text) BETWEEN 1 AND 4000), at text NOT NULL)`,
  `CREATE INDEX case_note_by_case ON case_note (case_id, at)`,
  `CREATE TABLE case_snooze (
    case_id text PRIMARY KEY, until text, messages integer NOT NULL, command_id text NOT NULL)`,
  `CREATE TABLE case_viewer (
    stream_id text PRIMARY KEY, case_id text NOT NULL CHECK (case_id = lower(case_id)), actor text NOT NULL,
    name text NOT NULL, ends_at double precision NOT NULL)`,
  `CREATE INDEX case_viewer_by_case ON case_viewer (case_id)`,
  `CREATE INDEX case_viewer_by_end ON case_viewer (ends_at)`,
  `CREATE TABLE snippet (
    id text PRIMARY KEY, name text NOT NULL, name_key text NOT NULL, text text NOT NULL,
    changed_by text NOT NULL, changed_by_name text NOT NULL, changed_at text NOT NULL, removed_at text)`,
  `CREATE UNIQUE INDEX snippet_by_name ON snippet (name_key) WHERE removed_at IS NULL`,
  // Bank statements.
  `CREATE TABLE statement (
    id text PRIMARY KEY, owner text NOT NULL, owner_name text NOT NULL,
    file_name text NOT NULL CHECK (length(file_name) <= 200), digest text NOT NULL UNIQUE,
    format text NOT NULL, taken_at text NOT NULL, left_out integer NOT NULL,
    work text CHECK (work IN ('look', 'confirm')), work_token text, work_boot text, work_by text,
    work_until double precision, work_done integer NOT NULL DEFAULT 0, work_total integer NOT NULL DEFAULT 0,
    work_stop boolean NOT NULL DEFAULT false, work_ended text, work_wants_code boolean NOT NULL DEFAULT false,
    discarded_at text, discarded_by text, work_runs integer NOT NULL DEFAULT 0, work_session text,
    work_extent text CHECK (work_extent IN ('unread', 'all')), work_paused_until text)`,
  `CREATE INDEX statement_by_time ON statement (taken_at)`,
  `CREATE INDEX statement_discarded ON statement (discarded_at) WHERE discarded_at IS NOT NULL`,
  `CREATE INDEX statement_looked_up ON statement (id) WHERE work = 'look'`,
  `CREATE TABLE statement_line (
    statement_id text NOT NULL REFERENCES statement (id) ON DELETE CASCADE, number integer NOT NULL,
    place integer NOT NULL, reference text NOT NULL, amount text NOT NULL, currency text NOT NULL,
    bank_reference text NOT NULL, booked_on text NOT NULL, text text NOT NULL, fingerprint text NOT NULL,
    seen_statement text, seen_number integer, sought text NOT NULL,
    sought_from text NOT NULL CHECK (sought_from IN ('field', 'text', 'hand')), bank_used text NOT NULL,
    bank_key text, verdict text NOT NULL CHECK (verdict IN ('unread', 'unknown', 'mismatched', 'ready')),
    found_state text, found_debit text, found_credit text, problem text, looked_at text, note text,
    set_aside_reason text, set_aside_by text, command_id text REFERENCES command (id),
    edit_id text REFERENCES command (id), sought_edit_id text REFERENCES command (id),
    bank_edit_id text REFERENCES command (id), looked_run integer, PRIMARY KEY (statement_id, number))`,
  // By hash: a bank may write a longer text than an ordered index can hold.
  `CREATE INDEX statement_line_by_bank_key ON statement_line USING hash (bank_key)`,
  `CREATE INDEX statement_line_by_command ON statement_line (command_id)`,
  `CREATE INDEX statement_line_by_fingerprint ON statement_line (fingerprint)`,
  `CREATE INDEX statement_line_by_sought ON statement_line USING hash (sought)`,
  `CREATE TABLE statement_suggestion (
    statement_id text NOT NULL, number integer NOT NULL, reference text NOT NULL,
    found_in text NOT NULL CHECK (found_in IN ('field', 'text')), state text NOT NULL, debit text NOT NULL,
    PRIMARY KEY (statement_id, number, reference),
    FOREIGN KEY (statement_id, number) REFERENCES statement_line (statement_id, number) ON DELETE CASCADE)`,
  `CREATE TABLE statement_mapping (
    owner text NOT NULL, columns_hash text NOT NULL, mapping text NOT NULL, used_at text NOT NULL,
    PRIMARY KEY (owner, columns_hash))`,
  `CREATE TABLE entered_reference (
    edit_id text PRIMARY KEY REFERENCES command (id), actor text NOT NULL, reference text, bank_key text)`,
  `CREATE INDEX entered_reference_bank_key ON entered_reference (bank_key)`,
  `CREATE INDEX entered_reference_reference ON entered_reference (reference)`,
]

const triggers: readonly string[] = [
  // Ended sessions of single sign-on keep their token for ten minutes, so that it is revoked at the provider.
  `CREATE FUNCTION keep_ended_token() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO ended_token (session_id, box, kept_until) VALUES (OLD.id, OLD.box,
        to_char((now() + interval '10 minutes') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER keep_token AFTER DELETE ON session
    FOR EACH ROW WHEN (OLD.method = 'sso') EXECUTE FUNCTION keep_ended_token()`,
  // The audit trail keeps each entry for 400 days.
  `CREATE FUNCTION audit_kept_since() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT to_char((now() - interval '400 days') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`,
  `CREATE FUNCTION refuse_early_delete() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.at < audit_kept_since() THEN RETURN OLD; END IF;
      RAISE EXCEPTION '% is kept for 400 days: DELETE is refused', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$`,
  `CREATE TRIGGER kept BEFORE DELETE ON audit_entry
    FOR EACH ROW EXECUTE FUNCTION refuse_early_delete()`,
  `CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON audit_entry
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  // What other processes are told of: see `lib/news`.
  `CREATE FUNCTION news_of_approval() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO news (key) VALUES ('approvals'); RETURN NULL; END $$`,
  `CREATE TRIGGER news_of_approval AFTER UPDATE ON command
    FOR EACH ROW WHEN (NEW.state = 'awaiting_approval' OR OLD.state = 'awaiting_approval')
    EXECUTE FUNCTION news_of_approval()`,
  `CREATE FUNCTION news_of_case() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO news (key) VALUES ('case:' || CASE TG_OP WHEN 'DELETE' THEN OLD.case_id ELSE NEW.case_id END);
      IF TG_TABLE_NAME = 'case_snooze' THEN INSERT INTO news (key) VALUES ('queue'); END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER news AFTER INSERT ON case_note
    FOR EACH ROW EXECUTE FUNCTION news_of_case()`,
  `CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON case_snooze
    FOR EACH ROW EXECUTE FUNCTION news_of_case()`,
  `CREATE TRIGGER news AFTER INSERT OR DELETE ON case_viewer
    FOR EACH ROW EXECUTE FUNCTION news_of_case()`,
  `CREATE FUNCTION news_of_changed_queue() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (
        SELECT 1 FROM was JOIN moved USING (id_key)
        WHERE (was.status, was.reason, was.resolved_at, was.outcome)
          IS DISTINCT FROM (moved.status, moved.reason, moved.resolved_at, moved.outcome)
      ) THEN INSERT INTO news (key) VALUES ('queue'); END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER news_of_change AFTER UPDATE ON case_index REFERENCING OLD TABLE AS was NEW TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_changed_queue()`,
  `CREATE FUNCTION news_of_claim() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN INSERT INTO news (key) VALUES ('person:' || OLD.holder), ('case:' || OLD.case_id); END IF;
      IF TG_OP <> 'DELETE' THEN INSERT INTO news (key) VALUES ('person:' || NEW.holder), ('case:' || NEW.case_id); END IF;
      INSERT INTO news (key) VALUES ('queue');
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER news AFTER INSERT OR UPDATE OR DELETE ON case_claim
    FOR EACH ROW EXECUTE FUNCTION news_of_claim()`,
  `CREATE FUNCTION news_of_command() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO news (key) VALUES ('command:' || NEW.id), ('commands'), ('sent-by:' || NEW.actor);
      IF NEW.state IN ('unknown', 'accepted') OR NEW.late_at IS NOT NULL OR (TG_OP = 'UPDATE'
        AND (OLD.state IN ('unknown', 'accepted') OR OLD.handled_at IS DISTINCT FROM NEW.handled_at)) THEN
        INSERT INTO news (key) VALUES ('open-changes');
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER news AFTER INSERT OR UPDATE ON command
    FOR EACH ROW WHEN (NEW.state <> 'draft') EXECUTE FUNCTION news_of_command()`,
  `CREATE FUNCTION news_of_messages() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO news (key) SELECT DISTINCT 'case:' || case_id FROM added;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER news AFTER INSERT ON case_message REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_messages()`,
  `CREATE FUNCTION news_of_queue() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM moved) THEN INSERT INTO news (key) VALUES ('queue'); END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER news_of_gone AFTER DELETE ON case_index REFERENCING OLD TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_queue()`,
  `CREATE TRIGGER news_of_new AFTER INSERT ON case_index REFERENCING NEW TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_queue()`,
  `CREATE FUNCTION news_of_reader() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO news (key) VALUES ('person:' || NEW.actor); RETURN NULL; END $$`,
  `CREATE TRIGGER news AFTER INSERT OR UPDATE ON case_reader
    FOR EACH ROW EXECUTE FUNCTION news_of_reader()`,
  `CREATE FUNCTION news_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO news (key) VALUES ('session:' || NEW.id); RETURN NULL; END $$`,
  `CREATE TRIGGER news AFTER UPDATE OF last_active_at ON session
    FOR EACH ROW EXECUTE FUNCTION news_of_session()`,
  `CREATE FUNCTION news_of_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM moved) THEN INSERT INTO news (key) VALUES ('sessions'); END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER news_of_gone AFTER DELETE ON session REFERENCING OLD TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_sessions()`,
  `CREATE TRIGGER news_of_new AFTER INSERT ON session REFERENCING NEW TABLE AS moved
    FOR EACH STATEMENT EXECUTE FUNCTION news_of_sessions()`,
  `CREATE FUNCTION news_of_statement() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO news (key) VALUES ('statement:' || NEW.id); RETURN NULL; END $$`,
  `CREATE TRIGGER news AFTER UPDATE ON statement
    FOR EACH ROW EXECUTE FUNCTION news_of_statement()`,
  `CREATE FUNCTION news_of_thread() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO news (key) VALUES ('case:' || NEW.case_id); RETURN NULL; END $$`,
  `CREATE TRIGGER news_of_change AFTER UPDATE ON case_thread
    FOR EACH ROW WHEN ((OLD.read_at > 0) <> (NEW.read_at > 0) OR OLD.payer IS DISTINCT FROM NEW.payer)
    EXECUTE FUNCTION news_of_thread()`,
  `CREATE TRIGGER news_of_new AFTER INSERT ON case_thread
    FOR EACH ROW EXECUTE FUNCTION news_of_thread()`,
]

const APPEND_ONLY = [
  'command_event',
  'approval_request',
  'approval',
  'passkey_assertion',
  'case_note',
  'entered_reference',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of tables) await sql.raw(statement).execute(db)
  for (const table of APPEND_ONLY) await makeAppendOnly(db, table)
  for (const statement of triggers) await sql.raw(statement).execute(db)
  await sql`INSERT INTO command_chain (one, sequence, mac) VALUES (1, 0, '')`.execute(db)
}
