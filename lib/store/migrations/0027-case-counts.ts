import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
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
}
