import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, open } from '#lib/database/open.ts'
import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { migrate } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { plansOf } from '#lib/testing/plans-of.ts'
import { type ActivityQuery, findActivity } from './activity.ts'

const ROWS = 20_000

let opened: Opened<Tables>

/** Half a year of a busy console: as many changes as entries, of forty people. */
beforeAll(async () => {
  opened = await open<Tables>(await testDatabaseUrl())
  await migrate(opened.db)
  const at = sql`to_char(timestamp '2026-01-01' + n * interval '15 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')`
  const series = sql`generate_series(1, ${sql.lit(ROWS)}) AS n`
  await sql`
    INSERT INTO command (id, kind, state, actor, actor_name, params, facts, target, created_at, sent_at, boot_id)
    SELECT 'c' || n, 'deposit.confirm', 'done', 'sso:' || n % 40, 'x', '{}', '{}', 'T' || n, ${at}, ${at}, 'b'
    FROM ${series}`.execute(opened.db)
  await sql`
    INSERT INTO audit_entry (id, kind, actor, actor_name, about, facts, at)
    SELECT 'a' || n, 'session.sign-in', 'sso:' || n % 40, 'x', '', '{}', ${at} FROM ${series}`.execute(opened.db)
  await sql`
    INSERT INTO command_event (sequence, command_id, at, state, actor, body, previous_mac, mac)
    SELECT n, 'c' || n, ${at}, 'awaiting_approval', 'sso:' || n % 40, '{"kind":"deposit.confirm"' ||
      CASE WHEN n % 50 = 0 THEN ',"decision":"approved","by":"sso:7","byName":"x"}' ELSE '}' END, '', '' FROM ${series}`.execute(
    opened.db,
  )
  await sql`ANALYZE`.execute(opened.db)
})
afterAll(() => opened.close())

const both = { actor: 'sso:7', userId: '7', by: null, kind: null, since: null, until: null, text: null } as const
const everybody: ActivityQuery = {
  changes: { ...both, kinds: ['deposit.confirm'], outcome: null },
  entries: { ...both, kinds: ['session.sign-in'] },
  decisions: { ...both, kinds: ['deposit.confirm'] },
}
const own: ActivityQuery = {
  changes: { ...both, kinds: [], outcome: null },
  entries: { ...both, kinds: [] },
  decisions: { ...both, kinds: [] },
}
const decided: ActivityQuery = {
  changes: null,
  entries: null,
  decisions: { ...both, by: 'mine', kinds: ['deposit.confirm'] },
}

test.each<[whose: string, wanted: ActivityQuery, indexes: readonly RegExp[]]>([
  ['everybody’s', everybody, [/command_by_time\b/, /audit_entry_by_time\b/, /decision_by_time\b/]],
  ['one’s own', own, [/command_by_actor_time\b/, /audit_entry_by_actor_time\b/, /decision_by_time\b/]],
  ['one’s own decisions', decided, [/decision_by_person\b/]],
])('a page of the history reads no more rows than it goes over: %s', async (_whose, wanted, indexes) => {
  const plan = await plansOf(opened.db, (db) => findActivity(db, wanted, { limit: 20, offset: 40 }))
  for (const index of indexes) expect(plan).toMatch(index)
  expect(plan).not.toContain('Seq Scan')
})
