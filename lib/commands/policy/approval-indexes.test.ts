import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, open } from '#lib/database/open.ts'
import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { migrate } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { plansOf } from '#lib/testing/plans-of.ts'
import { findEarlier, findRequests, findUndecided, type RequestQuery } from './approval-list.ts'

const CHANGES = 50_000

let opened: Opened<Tables>

/** Of forty people, and one with ten changes: every fourth change needed an approval, and the latest twenty wait. */
beforeAll(async () => {
  opened = await open<Tables>(await testDatabaseUrl())
  await migrate(opened.db)
  const at = sql`to_char(timestamp '2026-01-01' + n * interval '5 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')`
  const waits = sql`n > ${sql.lit(CHANGES - 80)} AND n % 4 = 0`
  const series = sql`generate_series(1, ${sql.lit(CHANGES)}) AS n`
  await sql`
    INSERT INTO command (id, kind, state, actor, actor_name, params, facts, target, created_at, sent_at, boot_id, effect)
    SELECT 'c' || n, 'deposit.confirm', CASE WHEN ${waits} THEN 'awaiting_approval' ELSE 'done' END,
      CASE WHEN n % 5000 = 0 THEN 'sso:rare' ELSE 'sso:' || n % 41 END, 'x', '{}', '{}', 'T' || n, ${at},
      CASE WHEN ${waits} THEN NULL ELSE ${at} END, 'b', 'e' FROM ${series}`.execute(opened.db)
  await sql`
    INSERT INTO approval_request (command_id, asked_at, expires_at, reason, approvals, scopes, keys)
    SELECT 'c' || n, n * 300, 9e9, 'x', 1, '[]', ARRAY['deposit:' || n % 10000, 'bank:' || n] FROM ${series} WHERE n % 4 = 0`.execute(
    opened.db,
  )
  await sql`
    INSERT INTO approval (command_id, actor, actor_name, approves, effect, reason, at)
    SELECT 'c' || n, 'sso:7', 'x', true, 'e', '', n * 300 FROM ${series}
    WHERE n % 4 = 0 AND n <= ${sql.lit(CHANGES - 80)}`.execute(opened.db)
  await sql`ANALYZE`.execute(opened.db)
}, 120_000)
afterAll(() => opened.close())

const seven = { actor: 'sso:7', userId: '7', kinds: ['deposit.confirm'] }
const all = { ...seven, kind: null, by: null, status: null, since: null, until: null }
const page = { limit: 20, offset: 40 }

test.each<[what: string, query: RequestQuery, indexes: readonly RegExp[]]>([
  ['decided', { ...all, view: 'decided' }, [/approval_request_by_time\b/, /command_pkey\b/]],
  ['decided by one person', { ...all, view: 'decided', by: 'mine' }, [/approval_request_by_time\b/, /approval_pkey\b/]],
])('a page reads requests by index: %s', async (_what, query, indexes) => {
  const plan = await plansOf(opened.db, (db) => findRequests(db, query, page))
  for (const index of indexes) expect(plan).toMatch(index)
  expect(plan).not.toContain('Seq Scan')
})

test('reads earlier requests for the same effect by their keys', async () => {
  const plan = await plansOf(opened.db, (db) =>
    findEarlier(db, { ...all, view: 'decided' }, { id: 'c40000', keys: ['deposit:0', 'bank:40000'] }),
  )
  expect(plan).toMatch(/approval_request_keys\b/)
  expect(plan).not.toContain('Seq Scan')
})

test('reads only the changes of a person for their requests', async () => {
  const own = { ...all, view: 'requested', actor: 'sso:rare' } as const
  const plan = await plansOf(opened.db, (db) => findRequests(db, own, page))
  expect(plan).toMatch(/command_by_actor/)
  expect(plan).not.toMatch(/Seq Scan on (?:command|approval given)/)
})

test('reads only waiting changes for an approver', async () => {
  const plan = await plansOf(opened.db, (db) => findUndecided(db, { ...all, view: 'waiting' }))
  expect(plan).toMatch(/command_by_state\b/)
  expect(plan).not.toContain('Seq Scan on command')
})
