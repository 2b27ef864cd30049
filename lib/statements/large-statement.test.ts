import { type RawBuilder, sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { ERASED } from '#lib/commands/row.ts'
import { config } from '#lib/config/config.ts'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { store } from '#lib/store/store.ts'
import { plansOf } from '#lib/testing/plans-of.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { dayOf, daysBefore } from '#lib/values/time.ts'
import { readDayReport } from './day-report.ts'
import { judged } from './shown-lines.ts'
import { eraseOldLines } from './statement-list.ts'
import { readStatement } from './view.ts'

const LINES = 10_000
/** What PostgreSQL takes for dear, it compiles before it runs it: for a query like this one, for seconds. */
const JIT_ABOVE_COST = 100_000

beforeEach(() => freshConsole())

/** A statement of ready lines; the deposits of the one before are all confirmed, and their bank's references locked. */
async function importLarge(): Promise<void> {
  const db = await store()
  const at = '2026-01-01T00:00:00Z'
  for (const id of ['before', 'large']) {
    await sql`
      INSERT INTO statement (id, owner, owner_name, file_name, digest, format, taken_at, left_out)
      VALUES (${id}, 'sso:1', 'mia', 'July.csv', ${id}, 'csv', ${at}, 0)`.execute(db)
    await sql`
      INSERT INTO statement_line (statement_id, number, place, reference, amount, currency, bank_reference, booked_on, text,
        fingerprint, sought, sought_from, bank_used, bank_key, verdict, found_state, found_debit, found_credit, looked_at)
      SELECT ${id}, n, n, ${id} || n, '12.50', '', 'B' || ${id} || n, '', '', ${id} || n, ${id} || n, 'field',
        'B' || ${id} || n, 'bank:' || ${id} || n, 'ready', 'QUEUED', '12.50', '12.50', ${at}
      FROM generate_series(1, ${LINES}) n`.execute(db)
  }
  await sql`
    INSERT INTO command (id, kind, state, actor, actor_name, params, facts, target, created_at, sent_at, settled_at, boot_id)
    SELECT 'c' || number, 'deposit.confirm', 'done', 'sso:1', 'mia', '{"statementAmount":"12.50"}', '{}', sought,
      ${at}, ${at}, ${at}, 'boot'
    FROM statement_line WHERE statement_id = 'before'`.execute(db)
  await sql`UPDATE statement_line SET command_id = 'c' || number WHERE statement_id = 'before'`.execute(db)
  await sql`
    INSERT INTO command_lock (key, command_id, for_ever)
    SELECT bank_key, command_id, true FROM statement_line WHERE statement_id = 'before'`.execute(db)
  await sql`ANALYZE`.execute(db)
}

/** Two years of statements. Texts of all but the last thirty days are erased. */
async function importYears(): Promise<void> {
  const db = await store()
  const at = sql`to_char(now() - d * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const days = sql`generate_series(0, 729) d`
  await sql`
    INSERT INTO statement (id, owner, owner_name, file_name, digest, format, taken_at, left_out)
    SELECT 'd' || d, 'sso:1', 'mia', 'July.csv', 'd' || d, 'csv', ${at}, 0 FROM ${days}`.execute(db)
  await sql`
    INSERT INTO statement_line (statement_id, number, place, reference, amount, currency, bank_reference, booked_on, text,
      fingerprint, sought, sought_from, bank_used, verdict)
    SELECT 'd' || d, n, n, '', '12.50', '', '', '', CASE WHEN d > 29 THEN ${ERASED} ELSE 'a' END, d || '-' || n,
      d || '-' || n, 'field', '', 'ready'
    FROM ${days}, generate_series(1, 10) n`.execute(db)
  await sql`
    INSERT INTO command (id, kind, state, actor, actor_name, params, facts, target, created_at, sent_at, settled_at, boot_id)
    SELECT 'd' || d || '-' || n, 'deposit.confirm', 'done', 'sso:1', 'mia', '{}', '{}', d || '-' || n, ${at}, ${at}, ${at}, 'b'
    FROM ${days}, generate_series(1, 10) n`.execute(db)
  await sql`ANALYZE`.execute(db)
}

describe('of two years of statements', () => {
  beforeEach(importYears)

  test('the hourly erasure reads no line that is erased', async () => {
    const usual = peekPerProcess<Promise<object>>('store')
    Object.assign(config(), { textKeptDays: 30 })
    putPerProcess('line retention', undefined)
    const plan = await plansOf(await store(), async (db) => {
      putPerProcess('store', Promise.resolve({ ...(await usual), db }))
      await eraseOldLines().finally(() => putPerProcess('store', usual))
    })
    expect(plan).toContain('statement_line_with_text')
    expect(plan).not.toContain('Seq Scan on statement_line  (')
  })

  test('the day report reads no change of other days', async () => {
    const day = daysBefore(dayOf(Date.now(), 'UTC'), 3)
    const plan = await plansOf(await store(), async (db) => {
      expect((await readDayReport(db, day, null)).people).toMatchObject([{ confirmed: { count: 10 } }])
    })
    expect(plan).toContain('command_settled')
    expect(plan).not.toMatch(/Seq Scan on (command|statement_line) /)
  })
})

async function costOf(query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<Record<string, string>>`EXPLAIN ${query}`.execute(await store())
  const [, cost] = /cost=[\d.]+\.\.([\d.]+)/.exec(Object.values(rows[0] ?? {})[0] ?? '') ?? []
  return Number(cost)
}

test('reads a statement of 10,000 ready lines without query compilation', async () => {
  await importLarge()
  const page = await readStatement('large', { status: null, page: 1, size: 20 })
  expect(page?.counts).toEqual({ ready: LINES })
  expect(page?.ready).toMatchObject({ count: LINES, sum: '125000.00' })
  expect(page?.lines).toHaveLength(20)
  const cost = await costOf(sql`SELECT status, count(*) FROM ${judged('large')} GROUP BY status`)
  expect(cost).toBeGreaterThan(0)
  expect(cost).toBeLessThan(JIT_ABOVE_COST)
})
