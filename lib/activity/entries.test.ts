import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { auditKinds } from '#lib/session/audit-kinds.ts'
import { type AuditEntry, recordAudit } from '#lib/session/audit-trail.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { ME } from '#lib/values/address-filter.ts'
import { activityInParts, activityPage, peopleLately } from './activity.ts'
import { type ActivityFilter, ALL_ACTIVITY } from './activity-filter.ts'
import { placeOfEntry } from './command-place.ts'
import { shownEntry } from './entry-words.ts'

const START = Date.parse('2026-11-20T08:00:00.000Z')
const MINUTE = 60_000
const ALL = { page: 1, size: 100 }

let service: ScriptedService
let operator: Session
let arbitrator: Session
let admin: Session
let at = START

const person = async (userId: string, ...scopes: readonly string[]): Promise<Session> => {
  service.on(`GET /api/v1/Users/${userId}/scopes`, ok({ roles: [], scopes }))
  return await openForTest(
    await signInForTest({ actor: `sso:${userId}`, userId, displayName: `${userId}@example.com` }),
  )
}

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  at = START
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  await freshConsole({ CORE_API_URL: service.url })
  putPerProcess('scopes', undefined)
  operator = await person('1', 'transactions:confirm')
  arbitrator = await person('2', 'disputes:resolve')
  admin = await person('3', 'transactions:confirm', 'disputes:resolve')
})
afterEach(() => vi.useRealTimers())
afterAll(() => service.stop())

/** The next minute. */
const later = (): string => {
  at += MINUTE
  vi.setSystemTime(at)
  return new Date(at).toISOString()
}

const record = async (entry: AuditEntry) => {
  later()
  await recordAudit(await store(), entry)
}
const exported = (by: Session, about: string) =>
  record({ by, kind: 'export.history', about, facts: { rows: 3, read: 20, filter: 'state=FAIL', end: 'whole' } })

/** A confirmation of a deposit that somebody sent. */
async function changed(by: Session, target: string): Promise<string> {
  const [id, time] = [randomUUID(), later()]
  const row = {
    ...{ id, kind: 'deposit.confirm', state: 'done', actor: by.actor, actor_name: by.displayName, target },
    ...{ params: '{"referenceId":"D","bankReference":"B"}', facts: '{"debit":"1.00000000"}', outcome: null },
    ...{ created_at: time, sent_at: time, settled_at: null, boot_id: 'x' },
  }
  await (await store()).insertInto('command').values(row).execute()
  return id
}

const seenBy = async (session: Session, filter: Partial<ActivityFilter> = {}, page = ALL) =>
  await activityPage(session, { ...ALL_ACTIVITY, ...filter }, page)
const titlesOf = async (session: Session, filter: Partial<ActivityFilter> = {}, page = ALL) =>
  (await seenBy(session, filter, page)).rows.map(({ title }) => title)

const SIGNED_IN = 'Signed in by single sign-on'
const CONFIRMED = 'Confirm deposit of 1.00 BZD'
const EXPORTED = 'Exported the history of a user'
const CHECKED = 'Checked the journal'

describe('changes and the audit trail are one history', () => {
  beforeEach(async () => {
    await changed(operator, 'D1')
    await exported(operator, 'ana')
    await changed(operator, 'D2')
    await record({ by: operator, kind: 'journal.check', facts: { events: 7, faults: 0 } })
  })

  test('by time, the latest first, with one paging over both', async () => {
    expect(await titlesOf(operator)).toEqual([CHECKED, CONFIRMED, EXPORTED, CONFIRMED, SIGNED_IN])
    expect(await titlesOf(operator, {}, { page: 2, size: 2 })).toEqual([EXPORTED, CONFIRMED])
    expect((await seenBy(operator, {}, { page: 3, size: 2 })).total).toBe(5)
  })

  test.each<[name: string, filter: Partial<ActivityFilter>, titles: readonly string[]]>([
    ['person', { person: ME }, [CHECKED, CONFIRMED, EXPORTED, CONFIRMED, SIGNED_IN]],
    ['another person', { person: '2@example.com' }, []],
    ['kind of an entry', { kind: 'export.history' }, [EXPORTED]],
    ['kind of a change', { kind: 'deposit.confirm' }, [CONFIRMED, CONFIRMED]],
    ['outcome, which no entry has', { outcome: 'done' }, [CONFIRMED, CONFIRMED]],
    ['outcome and kind of an entry', { outcome: 'done', kind: 'export.history' }, []],
    ['days before', { to: '2026-11-19' }, []],
    ['days', { from: '2026-11-20', to: '2026-11-20' }, [CHECKED, CONFIRMED, EXPORTED, CONFIRMED, SIGNED_IN]],
    ['days of another zone', { to: '2026-11-20', zone: 'Asia/Tokyo', kind: 'journal.check' }, [CHECKED]],
    ['what it is about', { text: 'ANA' }, [EXPORTED]],
    ['a fact as a whole', { text: 'state=FAIL' }, [EXPORTED]],
    ['a part of a fact', { text: 'state' }, []],
  ])('a filter works across both, and counts both: %s', async (_name, filter, titles) => {
    expect(await titlesOf(operator, filter)).toEqual(titles)
    expect((await seenBy(operator, filter)).total).toBe(titles.length)
  })

  test('an export has both, each part after the one before', async () => {
    const parts = await Array.fromAsync(activityInParts(operator, ALL_ACTIVITY, 3))
    expect(parts.flatMap(({ rows }) => rows.map(({ title }) => title))).toEqual([CHECKED, CONFIRMED, EXPORTED])
    expect(parts[0]?.total).toBe(5)
  })
})

describe('who sees what others did', () => {
  test('shows own entries, and those of others with all scopes', async () => {
    await exported(arbitrator, 'ana')
    expect(await titlesOf(arbitrator)).toEqual([EXPORTED, SIGNED_IN])
    expect(await titlesOf(operator)).toEqual([SIGNED_IN])
    expect(await titlesOf(operator, { person: '2@example.com' })).toEqual([])
    expect(await peopleLately(operator)).toEqual(['1@example.com'])
  })

  test('a person who holds both scopes sees everybody', async () => {
    await exported(arbitrator, 'ana')
    expect(await titlesOf(admin, { person: '2@example.com' })).toEqual([EXPORTED, SIGNED_IN])
    expect(await peopleLately(admin)).toEqual(['1@example.com', '2@example.com', '3@example.com'])
  })

  test('one’s own name finds entries of namesakes', async () => {
    const namesake = Object.create(arbitrator, { displayName: { value: `${admin.displayName}.bz` } })
    await exported(namesake, 'ana')
    expect(await titlesOf(admin, { person: admin.displayName })).toEqual([EXPORTED, SIGNED_IN])
    expect(await titlesOf(admin, { person: ME })).toEqual([SIGNED_IN])
  })

  test('exports of statements are seen by who confirms deposits, checks of the journal by who may check it', async () => {
    await record({ by: admin, kind: 'export.statement', about: 's', facts: { rows: 2, file: 'results.csv' } })
    await record({ by: admin, kind: 'journal.check', facts: { events: 7, faults: 0 } })
    const ofAdmin = { person: '3@example.com' }
    expect(await titlesOf(operator, ofAdmin)).toEqual([CHECKED, 'Exported the results of a statement'])
    expect(await titlesOf(arbitrator, ofAdmin)).toEqual([CHECKED])
    expect(await titlesOf(await person('4', 'transactions:read'), ofAdmin)).toEqual([])
  })

  test('scopes that cannot be read open nothing', async () => {
    await exported(arbitrator, 'ana')
    service.on('GET /api/v1/Users/3/scopes', { status: 500, body: '' } as never)
    putPerProcess('scopes', undefined)
    expect(await titlesOf(admin)).toEqual([SIGNED_IN])
  })

  test('an entry by its id: as in the list', async () => {
    await exported(arbitrator, 'ana')
    const [{ id } = { id: '' }] = (await seenBy(arbitrator)).rows
    expect(await shownEntry(operator, id)).toBeNull()
    const entry = await shownEntry(admin, id)
    expect(entry).toMatchObject({ title: EXPORTED, place: { href: '/users/ana?state=FAIL' } })
    const told = entry?.lines.map(({ label, value }) => `${label}: ${value}`)
    expect(told).toEqual(
      expect.arrayContaining(['By: 2@example.com', 'User id: 2', 'Rows: 3', 'Rows read: 20', 'Filter: state FAIL']),
    )
  })
})

test.each<[of: 'activity' | 'approvals' | 'cases', filter: string, ofOthers: boolean, ofOwn: boolean]>([
  ['activity', 'person=mia&text=D1', true, true],
  ['activity', 'person=me', false, true],
  ['activity', 'text=(not saved)', false, false],
  ['approvals', 'view=decided', true, true],
  ['approvals', 'view=decided&person=me', false, true],
  ['approvals', 'view=requested', false, true],
  ['approvals', '', false, true],
  ['approvals', 'text=(not saved)', false, false],
  ['cases', 'status=OPEN&claim=unassigned', true, true],
  ['cases', 'claim=mine', false, true],
  ['cases', 'claim=snoozed', false, true],
  ['cases', 'claim=others', false, true],
  ['cases', 'unread=yes', false, true],
  ['cases', 'notice=watching', false, true],
])('an export of %s opens with what it had: %s', (of, filter, ofOthers, ofOwn) => {
  const entry = { kind: `export.${of}`, about: '', actor_name: 'Ana', facts: JSON.stringify({ filter }) } as const
  expect([false, true].map((mine) => placeOfEntry(entry, mine) !== null)).toEqual([ofOthers, ofOwn])
})

test('every kind has a sentence, and leads to what it is about', async () => {
  const view = { view: 'Night shift', table: 'dispute-queue' } as const
  const facts: { readonly [Kind in (typeof auditKinds)[number]]: object } = {
    'session.sign-in': { browser: 'Chrome on Linux' },
    'session.refused': { why: 'not-staff' },
    'session.sign-out': { startedAt: new Date(START).toISOString() },
    'session.end': {
      why: 'idle',
      startedAt: new Date(START).toISOString(),
      lastActiveAt: new Date(START).toISOString(),
    },
    'session.end-of-other': { person: 'Ana', userId: 'ana', sessions: 2, reason: 'A laptop was lost' },
    'step-up.verify': { change: 'dispute.resolve', until: new Date(START).toISOString() },
    'step-up.reject': { change: 'dispute.resolve', triesLeft: 2 },
    'step-up.lock': { change: 'dispute.resolve', seconds: 300 },
    'step-up.not-known': { change: 'dispute.resolve' },
    'passkey.reject': { change: 'dispute.resolve', why: 'not-asked' },
    'approval.refuse': { change: 'dispute.resolve', why: 'author' },
    'export.activity': { rows: 1, filter: '', end: 'cut', format: 'csv' },
    'export.approvals': { rows: 1, filter: 'view=decided', end: 'whole' },
    'export.cases': { rows: 1, filter: 'status=OPEN', end: 'whole' },
    'export.history': { rows: 1, read: 1, filter: '', end: 'left' },
    'export.statement': { rows: 1, file: 'results.csv' },
    'export.report': { rows: 1, file: 'end-of-day.csv' },
    'journal.check': { events: 7, faults: 1 },
    'policy.load': { policy: 'a'.repeat(64), before: null, rules: 1 },
    'key.change': { from: 'old', to: 'new', statement: 'note' },
    'view.share': view,
    'view.change': { ...view, what: 'its name' },
    'view.remove': { ...view, owner: 'Ana' },
  }
  for (const kind of auditKinds) {
    await record({ by: operator, kind, about: 'x', facts: facts[kind] } as AuditEntry)
    const [row] = (await seenBy(operator)).rows
    const entry = await shownEntry(operator, row?.id ?? '')
    expect(entry?.title, kind).toMatch(/^[A-Z][^.]+$/)
    expect(entry?.title, kind).not.toContain('.')
    expect(entry?.place?.href, kind).toMatch(/^\//)
    for (const { value } of entry?.lines ?? []) expect(value, kind).not.toMatch(/undefined|NaN/)
  }
})
