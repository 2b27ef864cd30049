import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LATE_MAX, OPEN_MAX } from '#lib/commands/queries.ts'
import type { CommandRow, CommandState } from '#lib/commands/row.ts'
import type { OutcomeFilter } from '#lib/commands/search.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { ME } from '#lib/values/address-filter.ts'
import { activityInParts, activityPage, peopleLately } from './activity.ts'
import { type ActivityFilter, ALL_ACTIVITY } from './activity-filter.ts'
import { homeChanges, openChanges } from './open-changes.ts'

let service: ScriptedService
let operator: Session
let clerk: Session

const person = async (userId: string, ...scopes: readonly string[]): Promise<Session> => {
  service.on(`GET /api/v1/Users/${userId}/scopes`, ok({ roles: [], scopes }))
  const session = await openForTest(
    await signInForTest({ actor: `sso:${userId}`, userId, displayName: `${userId}@example.com` }),
  )
  await forgetAudit()
  return session
}

/** Signing in stands in the audit trail; what follows is about changes alone. */
const forgetAudit = async () =>
  inTransaction(await store(), async (trx) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(trx)
    await trx.deleteFrom('audit_entry').execute()
  })

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  putPerProcess('scopes', undefined)
  operator = await person('1', 'transactions:confirm')
  clerk = await person('2', 'transactions:read')
})
afterAll(() => service.stop())

/** When the latest was sent: no two are sent at once. */
let latestMs = 0

/** Confirmations of deposits that somebody sent, the first one first, as the journal has them. */
async function sent(count: number, state: CommandState, change: Partial<CommandRow> = {}) {
  const rows = Array.from({ length: count }, (_, at) => {
    latestMs = Math.max(latestMs + 1, Date.now() - (count - at) * 1000)
    const time = new Date(latestMs).toISOString()
    return {
      ...{ id: randomUUID(), kind: 'deposit.confirm', state, actor: 'sso:1', actor_name: '1@example.com' },
      ...{ params: '{"referenceId":"D","bankReference":"B"}', facts: '{"debit":"1.00000000"}', outcome: null },
      ...{ target: `D${at}`, created_at: time, sent_at: time, settled_at: null, boot_id: 'x', ...change },
    }
  })
  await (await store()).insertInto('command').values(rows).execute()
  return rows.map(({ id }) => id)
}

const ALL = { page: 1, size: 100 }
const idsOf = async (session: Session, filter: Partial<ActivityFilter> = {}, page = ALL): Promise<string[]> =>
  (await activityPage(session, { ...ALL_ACTIVITY, ...filter }, page)).rows.map(({ id }) => id)
const totalOf = async (session: Session, filter: Partial<ActivityFilter> = {}): Promise<number> =>
  (await activityPage(session, { ...ALL_ACTIVITY, ...filter }, { page: 1, size: 20 })).total

describe('changes are told page by page, the latest first, with how many there are', () => {
  test('of which a person sees their own, and those of others where the table lets them', async () => {
    const theirs = (await sent(3, 'done')).toReversed()
    const [own] = await sent(1, 'done', { actor: 'sso:2', actor_name: '2@example.com' })
    expect(await idsOf(operator)).toEqual([own, ...theirs])
    expect(await idsOf(operator, {}, { page: 2, size: 2 })).toEqual(theirs.slice(1))
    expect(await totalOf(operator)).toBe(4)
    expect(await idsOf(clerk)).toEqual([own])
    expect(await totalOf(clerk)).toBe(1)
  })

  test('a kind of another version is told to its author alone', async () => {
    const [strange] = await sent(1, 'done', { kind: 'coupon.mint' })
    expect(await idsOf(operator)).toEqual([strange])
    const other = await person('3', 'transactions:confirm')
    expect(await idsOf(other)).toEqual([])
  })

  test.each(['{', 'null', '5'])('shows a change whose outcome was altered to %s', async (outcome) => {
    await sent(1, 'done', { outcome })
    const { rows } = await activityPage(operator, ALL_ACTIVITY, ALL)
    expect(rows).toMatchObject([{ outcome: { class: 'unknown', advice: expect.stringContaining('altered') } }])
  })

  test('a draft is nobody’s but its author’s, and shows only where drafts are asked for', async () => {
    const [draft] = await sent(1, 'draft')
    const other = await person('3', 'transactions:confirm')
    expect([await idsOf(operator), await idsOf(operator, { outcome: 'prepared' })]).toEqual([[], [draft]])
    expect(await idsOf(other, { outcome: 'prepared' })).toEqual([])
  })
})

describe('a filter shows what it says, and counts it', () => {
  test('whose: mine, or a name in any case; of a name that may not be seen, nothing', async () => {
    const mine = (await sent(2, 'done')).toReversed()
    const theirs = await sent(1, 'done', { actor: 'sso:2', actor_name: 'Other@example.com' })
    expect(await idsOf(operator, { person: ME })).toEqual(mine)
    expect(await idsOf(operator, { person: operator.displayName.toUpperCase() })).toEqual(mine)
    expect(await idsOf(operator, { person: 'other@EXAMPLE.com' })).toEqual(theirs)
    expect(await totalOf(operator, { person: 'nobody' })).toBe(0)
    expect(await totalOf(clerk, { person: '1@example.com' })).toBe(0)
  })

  test.each(['ΑΛΕΞΗΣ', 'İpek', 'Straße'])('whose: the name %s as it is listed', async (name) => {
    const theirs = await sent(1, 'done', { actor: 'sso:2', actor_name: name })
    expect(await peopleLately(operator)).toContain(name)
    expect(await idsOf(operator, { person: name })).toEqual(theirs)
  })

  test('one’s own name means what one did under the name of the other way of signing in, too', async () => {
    const ids = await sent(1, 'done', { actor_name: 'Olga Operator' })
    expect(await idsOf(operator, { person: operator.displayName })).toEqual(ids)
  })

  test('one’s own name finds namesakes, and in a file, too', async () => {
    const names = [operator.displayName, `${operator.displayName} Garcia`]
    const [own = ''] = await sent(1, 'done', { actor_name: 'Olga Operator' })
    const theirs = await Promise.all(names.map((actor_name) => sent(1, 'done', { actor: 'sso:9', actor_name })))
    const person = operator.displayName.toUpperCase()
    const parts = await Array.fromAsync(activityInParts(operator, { ...ALL_ACTIVITY, person }, 100))
    const filed = parts.flatMap(({ rows }) => rows.map(({ id }) => id))
    expect([await totalOf(operator, { person }), filed.toSorted()]).toEqual([3, [own, ...theirs.flat()].toSorted()])
  })

  const outcome = (of: string) => JSON.stringify({ class: of, sent: false, title: 'x', advice: '"class":"changed"' })
  test.each<[OutcomeFilter, readonly string[]]>([
    ['done', ['done', 'applied', 'late']],
    ['working', ['sent', 'accepted']],
    ['unknown', ['unknown']],
    ['open', ['accepted', 'unknown']],
    ['attention', ['failed', 'no effect', 'unknown']],
    ['approval', ['awaiting_approval']],
    ['code', ['challenged']],
    ['not-done', ['refused', 'closed', 'failed']],
    ['cancelled', ['cancelled']],
    ['changed', ['changed']],
    ['no-effect', ['no effect']],
    ['late', ['late']],
    ['prepared', ['draft']],
  ])('how it stands: %s', async (stateFilter, expected) => {
    const states = [
      'draft',
      'awaiting_approval',
      'done',
      'applied',
      'sent',
      'accepted',
      'unknown',
      'challenged',
    ] as const
    for (const state of states) await sent(1, state, { target: state })
    await sent(1, 'applied', { target: 'late', late_at: '2026-11-01T00:00:00.000Z' })
    await sent(1, 'closed', { target: 'cancelled', outcome: outcome('cancelled') })
    await sent(1, 'refused', { target: 'refused', outcome: outcome('refused') })
    await sent(1, 'closed', { target: 'closed', outcome: outcome('refused') })
    await sent(1, 'closed', { target: 'changed', outcome: outcome('changed') })
    await sent(1, 'not_applied', { target: 'failed', outcome: outcome('failed') })
    await sent(1, 'not_applied', { target: 'no effect', outcome: outcome('no-effect') })
    const { rows, total } = await activityPage(operator, { ...ALL_ACTIVITY, outcome: stateFilter }, ALL)
    expect(rows.map(({ target }) => target).toSorted()).toEqual(expected.toSorted())
    expect(total).toBe(expected.length)
  })

  test('the kind', async () => {
    const [imported] = await sent(1, 'done', { kind: 'statement.import', facts: '{}', params: '{"lines":3}' })
    await sent(1, 'done')
    expect(await idsOf(operator, { kind: 'statement.import' })).toEqual([imported])
  })

  test('days, both of them included, as they begin and end in the zone', async () => {
    const [late] = await sent(1, 'done', { sent_at: '2026-11-21T05:59:59.999Z' })
    const [next] = await sent(1, 'done', { sent_at: '2026-11-21T06:00:00.000Z' })
    const [early] = await sent(1, 'done', { sent_at: '2026-11-20T06:00:00.000Z' })
    const [before] = await sent(1, 'done', { sent_at: '2026-11-20T05:59:59.999Z' })
    const zone = 'America/Belize'
    expect(await idsOf(operator, { from: '2026-11-20', to: '2026-11-20', zone })).toEqual([late, early])
    expect(await idsOf(operator, { from: '2026-11-21', zone })).toEqual([next])
    expect(await idsOf(operator, { to: '2026-11-19', zone })).toEqual([before])
    expect(await idsOf(operator, { from: '2026-11-20', to: '2026-11-20' })).toEqual([early, before])
  })

  test.each([
    ['its target in another case', 'd-77'],
    ['a bank’s reference', 'atl "1"'],
    ['a value of its facts', '00000000-0000-4000-8000-000000000011'],
    ['its trace id', '00-4bf92f35'],
    ['what came of it', 'CHAIN-9'],
    ['a note in Greek', 'ΟΔΟΣ'],
  ])('a text: %s', async (_what, text) => {
    await sent(2, 'done')
    const [wanted] = await sent(1, 'done', {
      ...{ target: 'D-77', trace_id: '00-4bf92f35' },
      params: JSON.stringify({ referenceId: 'D-77', bankReference: 'ATL "1"' }),
      facts: JSON.stringify({ note: 'ΟΔΟΣ', toAccountId: '00000000-0000-4000-8000-000000000011' }),
      outcome: JSON.stringify({ class: 'done', steps: [], lines: [{ label: 'Chain', value: 'CHAIN-9', as: 'mono' }] }),
    })
    expect(await idsOf(operator, { text })).toEqual([wanted])
    expect(await idsOf(operator, { text: text.slice(0, -1) })).toEqual([])
    expect(await idsOf(clerk, { text })).toEqual([])
  })

  test('a text: its own id', async () => {
    const [first] = await sent(2, 'done')
    expect(await idsOf(operator, { text: first?.toUpperCase() ?? '' })).toEqual([first])
  })

  test('a text is no pattern', async () => {
    await sent(1, 'done', { target: 'abc' })
    for (const text of ['%', '_', "' OR 1=1 --", '\\']) expect(await idsOf(operator, { text })).toEqual([])
  })
})

test('names to choose from are those of changes that a person sees', async () => {
  await sent(2, 'done', { actor: 'sso:3', actor_name: 'Third' })
  await sent(1, 'done', { actor: 'sso:2', actor_name: 'Second' })
  expect([await peopleLately(operator), await peopleLately(clerk)]).toEqual([['Second', 'Third'], ['Second']])
})

test('exports parts in order, up to the bound', async () => {
  const ids = (await sent(1_203, 'done')).toReversed()
  const seen: string[] = []
  for await (const { rows, total } of activityInParts(operator, ALL_ACTIVITY, 5_000)) {
    seen.push(...rows.map(({ id }) => id))
    expect(total).toBe(1_203)
    if (seen.length === 500) await sent(1, 'done')
  }
  expect(seen).toEqual(ids)
  const bounded = await Array.fromAsync(activityInParts(operator, ALL_ACTIVITY, 700))
  expect(bounded.map(({ rows }) => rows.length)).toEqual([500, 200])
})

describe('a change during an export', () => {
  const moved = async (id: string, change: object) =>
    (await store()).updateTable('command').set(change).where('id', '=', id).execute()

  const exportDuring = async (meanwhile: () => Promise<unknown>) => {
    const parts = activityInParts(operator, ALL_ACTIVITY, 5_000)
    const first = await parts.next()
    await meanwhile()
    return [...(first.value?.rows ?? []), ...(await Array.fromAsync(parts)).flatMap(({ rows }) => rows)]
  }

  test('that is sent then is in the file once', async () => {
    const [oldest = '', ...others] = await sent(700, 'done')
    await moved(oldest, { state: 'awaiting_approval', sent_at: null })
    const rows = await exportDuring(() => moved(oldest, { state: 'sent', sent_at: new Date().toISOString() }))
    expect(rows.map(({ id }) => id)).toEqual([...others.toReversed(), oldest])
  })

  test('that is removed then does not count as cut', async () => {
    const [oldest = ''] = await sent(700, 'done')
    const parts = activityInParts(operator, ALL_ACTIVITY, 5_000)
    await parts.next()
    await (await store()).deleteFrom('command').where('id', '=', oldest).execute()
    expect((await Array.fromAsync(parts)).map(({ rows, total }) => [rows.length, total])).toEqual([[199, 699]])
  })
})

test('a file names each author, its reader too', async () => {
  await sent(1, 'done', { actor_name: 'Olga Operator' })
  const parts = await Array.fromAsync(activityInParts(operator, ALL_ACTIVITY, 10))
  expect(parts.flatMap(({ rows }) => rows.map(({ actorName }) => actorName))).toEqual(['Olga Operator'])
})

describe('Home tells how many more there are than it lists', () => {
  test('of what one did today', async () => {
    await sent(103, 'done')
    const { changes, count } = (await homeChanges(operator)).lately
    expect([changes.length, count]).toEqual([100, 103])
    expect((await homeChanges(clerk)).lately).toEqual({ changes: [], count: 0 })
  })

  test('a person’s limits are those on changes that they may make', async () => {
    underPolicy({ kind: 'deposit.confirm', limit: { count: 3 } }, { kind: 'card.issue', limit: { count: 3 } })
    const limitsOf = async (session: Session) => (await homeChanges(session)).limits.map(({ kind }) => kind)
    expect([await limitsOf(operator), await limitsOf(clerk)]).toEqual([['deposit.confirm'], []])
  })

  test('of open changes, by how they stand', async () => {
    await sent(OPEN_MAX, 'unknown')
    expect((await openChanges(operator)).more).toEqual({ unknown: 0, accepted: 0, unhandled: 0, late: false })
    await sent(3, 'accepted')
    const { seen, unseen, more } = await openChanges(operator)
    expect(seen.length + unseen.unknown + unseen.accepted).toBe(OPEN_MAX)
    expect(seen.length + more.unknown + more.accepted).toBe(OPEN_MAX + 3)
  })

  test('of others’ changes that need attention, how many', async () => {
    await sent(2, 'applied', { late_at: new Date().toISOString() })
    await sent(3, 'accepted', { sent_at: new Date(Date.now() - 86_461_000).toISOString() })
    await sent(1, 'accepted')
    const { late, seen, unseen } = await openChanges(clerk)
    expect({ late, seen, unseen }).toEqual({ late: [], seen: [], unseen: { unknown: 3, accepted: 1, unhandled: 2 } })
  })

  test('of those that showed late only that there are', async () => {
    await sent(LATE_MAX, 'applied', { late_at: new Date().toISOString() })
    expect((await openChanges(operator)).more.late).toBe(false)
    await sent(1, 'applied', { late_at: new Date().toISOString() })
    const { late, more } = await openChanges(operator)
    expect([late.length, more.late]).toEqual([LATE_MAX, true])
  })
})
