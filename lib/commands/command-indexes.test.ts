import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, open } from '#lib/database/open.ts'
import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { migrate } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { plansOf } from '#lib/testing/plans-of.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { findAbandonedDrafts } from './maintenance.ts'
import {
  countChangesNeedingAttention,
  countDraftsSince,
  findChallengedBefore,
  findEffective,
  findEffectivePage,
  findLeftSent,
  findOpen,
  findOpenOrRecent,
  findReconciledLater,
  findSentBy,
  findUndecided,
  findUnhandled,
  readUnderWay,
} from './queries.ts'
import { type ChangeFilter, findAuthorsNamed, findNaming, findNamingTerminal, placesOfCommands } from './search.ts'

const COMMANDS = 30_000
const LATELY = '2026-11-01T00:00:00.000Z'
const PAGE = { page: 1, size: 20 }

let opened: Opened<Tables>

/** A year of a busy console: forty people, and of all that was sent little is open. */
beforeAll(async () => {
  configureForTest()
  opened = await open<Tables>(await testDatabaseUrl())
  await migrate(opened.db)
  await sql`
    INSERT INTO command (id, kind, state, actor, actor_name, params, facts, target, created_at, sent_at, boot_id)
    SELECT 'c' || n, (ARRAY['deposit.confirm', 'case.assign', 'dispute.message', 'card.issue'])[1 + n % 4],
      CASE WHEN n % 5000 = 0 THEN 'unknown' WHEN n % 7000 = 0 THEN 'sent' ELSE 'done' END,
      'sso:' || n % 40, 'person ' || n % 40, '{}', '{}', 'T' || n,
      to_char(timestamp '2026-01-01' + n * interval '15 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"'),
      to_char(timestamp '2026-01-01' + n * interval '15 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"'), 'boot ' || n % 9
    FROM generate_series(1, ${sql.lit(COMMANDS)}) AS n`.execute(opened.db)
  await sql`
    INSERT INTO case_index (id_key, id, reference, raised_by, counterparty, status, reason, created_at, created_key,
      resolved_key, seen_at)
    SELECT 't' || n, 'T' || n, 'r' || n, n % 4000, n % 3000, 'OPEN', '', '', n, '', '' FROM generate_series(1, 4000) AS n`.execute(
    opened.db,
  )
  await sql`ANALYZE command, case_index`.execute(opened.db)
})
afterAll(() => opened.close())

const kind = 'deposit.confirm'
const seven = { actor: 'sso:7', userId: '7', kinds: [kind] }
const ofCases = { ...seven, kinds: ['case.assign', 'dispute.message'] }
const anyone: ChangeFilter = {
  ...{ actor: 'sso:7', userId: '7', kinds: [kind, 'card.issue'], by: null, kind: null, outcome: null },
  ...{ since: null, until: null, text: null },
}

test.each<[name: string, read: (db: Kysely<Tables>) => Promise<unknown>]>([
  ['what a person sent lately', (db) => findSentBy(db, 'sso:7', LATELY, 100)],
  ['confirmed deposits of one person', (db) => findEffectivePage(db, { kind, actor: 'sso:4' }, PAGE)],
  ['open changes', (db) => findOpen(db)],
  ['what nobody has handled', (db) => findUnhandled(db)],
  ['how many need attention', (db) => countChangesNeedingAttention(db)],
  ['what an effect may still show of', (db) => findReconciledLater(db, LATELY)],
  [
    'open changes of one kind and target',
    (db) => findOpenOrRecent(db, { actor: 'sso:4', kind, target: 'T8', since: LATELY }),
  ],
  ['drafts that nobody confirmed', (db) => findAbandonedDrafts(db, LATELY)],
  ['what waits for a code', (db) => findChallengedBefore(db, LATELY)],
  ['what was left under way', (db) => findLeftSent(db, { bootId: 'boot 1', alone: false, sentBefore: LATELY })],
  ['drafts of one person', (db) => countDraftsSince(db, 'sso:7', LATELY)],
  ['what is undecided about a target', (db) => findUndecided(db, kind, 'T8')],
  ['changes that name a part', (db) => findNaming(db, { ...seven, part: 'T17', lock: 'bank:T17' }, 5)],
  ['people of a name', (db) => findAuthorsNamed(db, { ...seven, part: 'on 1' }, 5)],
  ['changes of cases that name a part', (db) => findNaming(db, { ...ofCases, part: 'T17', lock: 'bank:T17' }, 5)],
  ['changes that name a terminal', (db) => findNamingTerminal(db, { ...seven, part: 'T17' }, 5)],
  ['changes under way, for the metrics', (db) => readUnderWay(db)],
  ['what took effect on a target', (db) => findEffective(db, kind, 'T8')],
])('%s: no reading of the whole journal', async (_name, read) => {
  expect(await plansOf(opened.db, read)).not.toMatch(/Seq Scan on command(?!_)/)
})

test.each<[index: string, read: (db: Kysely<Tables>) => Promise<unknown>]>([
  ['command_by_actor', (db) => countDraftsSince(db, 'sso:7', LATELY)],
  ['command_by_actor_sent', (db) => findSentBy(db, 'sso:7', LATELY, 100)],
  ['command_by_time', (db) => placesOfCommands(db, anyone, { limit: 20 }).execute()],
  ['command_by_time', (db) => placesOfCommands(db, { ...anyone, ...ofCases }, { limit: 20 }).execute()],
  ['case_index_by_raiser', (db) => placesOfCommands(db, { ...anyone, ...ofCases }, { limit: 20 }).execute()],
  ['command_by_target', (db) => placesOfCommands(db, { ...anyone, ...ofCases }, { limit: 20 }).execute()],
  ['command_by_time', (db) => placesOfCommands(db, anyone, { limit: 500 }).execute()],
  ['command_by_actor_time', (db) => placesOfCommands(db, { ...anyone, by: 'mine' }, { limit: 20 }).execute()],
  ['command_by_kind_sent', (db) => findEffectivePage(db, { kind, actor: null }, PAGE)],
])('%s is what its query goes by', async (index, read) => {
  expect(await plansOf(opened.db, read)).toMatch(new RegExp(` (?:using|on) ${index}\\b`))
})
