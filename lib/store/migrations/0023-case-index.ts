import { type Kysely, sql } from 'kysely'

/** What was seen of cases becomes an index of all of them. It is a cache: it starts empty and fills itself by sweeps. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`DROP TABLE case_seen`.execute(db)
  // Sort keys are compared byte by byte, whatever the database's language.
  await sql`
    CREATE TABLE case_index (
      id_key text PRIMARY KEY, arrival bigint GENERATED ALWAYS AS IDENTITY,
      id text NOT NULL, reference text NOT NULL, raised_by text NOT NULL, counterparty text NOT NULL,
      status text NOT NULL, reason text NOT NULL,
      created_at text NOT NULL, created_key text COLLATE "C" NOT NULL,
      resolved_at text, resolved_key text COLLATE "C" NOT NULL, outcome text,
      seen_at text COLLATE "C" NOT NULL)`.execute(db)
  await sql`CREATE INDEX case_index_by_age ON case_index (created_key, id_key)`.execute(db)
  await sql`CREATE INDEX case_index_by_status_and_age ON case_index (status, created_key, id_key)`.execute(db)
  await sql`CREATE INDEX case_index_by_resolution ON case_index (status, resolved_key, id_key)`.execute(db)
  await sql`CREATE INDEX case_index_by_raiser ON case_index (lower(raised_by))`.execute(db)
  await sql`CREATE INDEX case_index_by_counterparty ON case_index (lower(counterparty))`.execute(db)
  await sql`CREATE INDEX case_index_by_reference ON case_index (reference)`.execute(db)
  await sql`CREATE INDEX case_index_by_arrival ON case_index (arrival)`.execute(db)
  await sql`CREATE TABLE case_page (page integer PRIMARY KEY, read_at text NOT NULL, token text NOT NULL)`.execute(db)
  await sql`
    CREATE TABLE case_sweep (
      one integer PRIMARY KEY CHECK (one = 1),
      token text, boot text, lease_until double precision, total integer,
      began_at text, ended_at text, shortfall text CHECK (shortfall IN ('moved', 'problem')), problem text,
      complete_at text, unreadable integer NOT NULL DEFAULT 0)`.execute(db)
}
