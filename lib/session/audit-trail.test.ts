import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { sequenceAll } from '#lib/journal/sequencer.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { eraseOldAudit, recordAudit } from './audit-trail.ts'
import { endSession, endSessionsByIdpSid, endSessionsOf } from './end-session.ts'
import { SESSIONS_MOST } from './limits.ts'
import { dropEndedSessions } from './live-sessions.ts'
import { openSession } from './vault/vault.ts'

const DAY_MS = 86_400_000
const KEPT_DAYS = 400

beforeEach(async () => {
  await freshConsole()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const entries = async () => await (await store()).selectFrom('audit_entry').selectAll().orderBy('at').execute()
const told = async () =>
  (await entries()).map(({ kind, actor, facts }) => [kind, actor, (JSON.parse(facts) as { why?: string }).why])
const signedIn = async (change: Parameters<typeof signInForTest>[0] = {}) => {
  const { id } = await openForTest(await signInForTest(change))
  return id
}

describe('every end of a session is recorded once, with its reason and whose it was', () => {
  test.each(['ended-by-owner', 'refused', 'not-staff', 'back-channel'] as const)('%s', async (why) => {
    const id = await signedIn({ actor: 'sso:7', method: 'password' })
    await endSession(id, why)
    await endSession(id, why)
    expect(await told()).toEqual([
      ['session.sign-in', 'sso:7', undefined],
      ['session.end', 'sso:7', why],
    ])
    expect((await entries())[1]).toMatchObject({ method: 'password', actor_name: 'operator@example.com' })
  })

  test('a sign-out is one, and no other end', async () => {
    await endSession(await signedIn(), 'signed-out')
    expect((await entries()).map(({ kind }) => kind)).toEqual(['session.sign-in', 'session.sign-out'])
  })

  test('of many at once each', async () => {
    for (const idpSid of ['a', 'a', 'b']) await signedIn({ idpSid })
    await endSessionsByIdpSid('a', 'back-channel')
    await endSessionsOf('sso:1', 'ended-by-owner')
    expect((await told()).flatMap(([, , why]) => why ?? [])).toEqual(['back-channel', 'back-channel', 'ended-by-owner'])
  })

  test('a sixth sign-in ends the least active one', async () => {
    for (let times = 0; times <= SESSIONS_MOST; times += 1) await signedIn()
    expect((await told()).filter(([kind]) => kind === 'session.end')).toEqual([['session.end', 'sso:1', 'too-many']])
  })

  test('limits, though nobody asks for the session any more', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T08:00:00.000Z') })
    await signedIn()
    vi.setSystemTime(Date.now() + 20 * 60_000)
    await dropEndedSessions()
    await dropEndedSessions()
    const other = await signedIn()
    vi.setSystemTime(Date.now() + DAY_MS)
    await (await store()).updateTable('session').set({ last_active_at: new Date().toISOString() }).execute()
    await dropEndedSessions()
    expect(other).not.toBe('')
    expect((await told()).flatMap(([, , why]) => why ?? [])).toEqual(['idle', 'absolute'])
  })
})

test('records no token and only the browser of a sign-in', async () => {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 secret-of-the-machine'
  await signedIn({ userAgent })
  const text = JSON.stringify(await entries())
  expect(text).toContain('Chrome on Linux')
  expect(text).not.toMatch(/canary|secret-of-the-machine/)
})

test('a trail that cannot be written keeps nobody signed in, and the log says that an entry is missing', async () => {
  const handle = await signInForTest()
  const { id } = await openForTest(handle)
  const db = await store()
  const failed = vi.spyOn(log(), 'error')
  await sql`ALTER TABLE audit_entry RENAME TO audit_entry_away`.execute(db)
  try {
    await endSession(id, 'signed-out')
  } finally {
    await sql`ALTER TABLE audit_entry_away RENAME TO audit_entry`.execute(db)
  }
  expect(await openSession(handle)).toBeNull()
  expect(failed).toHaveBeenCalledWith(expect.objectContaining({ event: 'audit-trail' }), expect.any(String))
})

const checked = async () => {
  await sequenceAll()
  return (await verifyJournal(await store(), config())).faults
}

describe('every entry is an event of the signed log', () => {
  test('with its facts, and as it was written', async () => {
    await signedIn()
    const [entry] = await entries()
    const [event] = await (await store()).selectFrom('command_event').selectAll().execute()
    expect(event).toMatchObject({
      sequence: entry?.sequence,
      command_id: null,
      state: 'session.sign-in',
      actor: 'sso:1',
    })
    expect(JSON.parse(event?.body ?? '')).toMatchObject({ entry: entry?.id, facts: JSON.parse(entry?.facts ?? '') })
    expect(await checked()).toEqual([])
  })

  test.each([
    ['edited', `UPDATE audit_entry SET facts = '{"browser":"other"}'`],
    ['given to another person', "UPDATE audit_entry SET actor_name = 'Other'"],
    ['removed', 'DELETE FROM audit_entry'],
    [
      'removed with an empty erasure',
      "WITH removed AS (DELETE FROM audit_entry) UPDATE command_event SET erased = '{}'",
    ],
    ['about another subject', "UPDATE audit_entry SET about = 'sso:3'"],
    ['with another id', "UPDATE audit_entry SET id = 'x'"],
    ['by another actor', "UPDATE audit_entry SET actor = 'sso:2'"],
    ['at another time', "UPDATE audit_entry SET at = '2020-01-01T00:00:00.000Z'"],
    ['with another way of signing in', "UPDATE audit_entry SET method = 'password'"],
  ])('so that one %s in the trail is found', async (_how, statement) => {
    await signedIn()
    const db = await store()
    await sql`ALTER TABLE audit_entry DISABLE TRIGGER ALL`.execute(db)
    await sql.raw(statement).execute(db)
    await sql`ALTER TABLE audit_entry ENABLE TRIGGER ALL`.execute(db)
    expect(await checked()).toEqual([{ sequence: 1, what: 'is not as in the audit trail' }])
  })

  test('so that a later one edited is found in portions', async () => {
    for (let times = 0; times < 4; times += 1) await signedIn()
    const [db, faults] = [await store(), [{ sequence: 4, what: 'is not as in the audit trail' }]]
    await sql`ALTER TABLE audit_entry DISABLE TRIGGER ALL`.execute(db)
    await sql`UPDATE audit_entry SET method = 'password' WHERE sequence = 4`.execute(db)
    await sql`ALTER TABLE audit_entry ENABLE TRIGGER ALL`.execute(db)
    await sequenceAll()
    expect((await verifyJournal(db, config(), 3)).faults).toEqual(faults)
  })

  test.each([
    ['zero', 0, ''],
    ['below zero', -7, 'f'],
    ['like a portion’s end', 3, 'zz'],
  ])('so that one numbered %s is found', async (_which, sequence, id) => {
    for (let times = 0; times < 4; times += 1) await signedIn()
    const [db, [genuine]] = [await store(), await entries()]
    await db
      .insertInto('audit_entry')
      .values({ ...genuine!, id, sequence })
      .execute()
    await sequenceAll()
    expect((await verifyJournal(db, config(), 3)).faults).toEqual([{ sequence, what: 'is not as in the audit trail' }])
  })

  test('also with a lone surrogate in its facts', async () => {
    const by = { actor: 'sso:1', displayName: 'olga@example.com', method: 'sso' } as const
    await recordAudit(await store(), { by, kind: 'view.share', facts: { view: 'a\ud800', table: 'changes' } })
    expect(await checked()).toEqual([])
  })
})

describe('the store itself', () => {
  const OLGA = { actor: 'sso:1', displayName: 'olga@example.com', method: 'sso' } as const

  const VIEW = { view: 'Nights', table: 'changes' }

  const recordedDaysAgo = async (days: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - days * DAY_MS })
    await recordAudit(await store(), { by: OLGA, kind: 'journal.check', facts: { events: days, faults: 0 } })
    vi.useRealTimers()
  }

  test.each([
    ['changed', sql`UPDATE audit_entry SET actor = 'sso:2'`],
    ['deleted', sql`DELETE FROM audit_entry`],
    ['all thrown away', sql`TRUNCATE audit_entry`],
  ])('refuses that an entry is %s', async (_how, statement) => {
    await recordedDaysAgo(1)
    await expect(statement.execute(await store())).rejects.toThrow('23001')
    expect(await entries()).toMatchObject([{ actor: 'sso:1' }])
  })

  test(`erases an entry after ${KEPT_DAYS} days, and none that is younger`, async () => {
    await recordedDaysAgo(KEPT_DAYS + 1)
    await recordedDaysAgo(KEPT_DAYS - 1)
    putPerProcess('audit purge', undefined)
    await eraseOldAudit()
    expect((await entries()).map(({ facts }) => JSON.parse(facts))).toEqual([{ events: KEPT_DAYS - 1, faults: 0 }])
  })

  test('erases the texts of old entries in the log too', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - (KEPT_DAYS + 1) * DAY_MS })
    await recordAudit(await store(), { by: OLGA, kind: 'view.remove', facts: { ...VIEW, owner: 'Dolores Canary' } })
    vi.useRealTimers()
    putPerProcess('audit purge', undefined)
    await eraseOldAudit()
    const events = await (await store())
      .selectFrom('command_event')
      .select(['state', 'body'])
      .orderBy('sequence')
      .execute()
    expect(events.map(({ state }) => state)).toEqual(['view.remove', 'log.erase'])
    expect(JSON.stringify(events)).not.toMatch(/Canary|olga/)
    expect((await verifyJournal(await store(), config())).faults).toEqual([])
    expect(await checked()).toEqual([])
  })

  test('an altered event keeps no other entry', async () => {
    for (const days of [KEPT_DAYS + 2, KEPT_DAYS + 1]) await recordedDaysAgo(days)
    const db = await store()
    await sql`ALTER TABLE command_event DISABLE TRIGGER ALL`.execute(db)
    await sql`UPDATE command_event SET salts = '{}' WHERE sequence = (SELECT min(sequence) FROM command_event)`.execute(
      db,
    )
    await sql`ALTER TABLE command_event ENABLE TRIGGER ALL`.execute(db)
    putPerProcess('audit purge', undefined)
    await eraseOldAudit()
    expect(await entries()).toEqual([])
  })

  test('keeps entries for AUDIT_KEPT_DAYS', async () => {
    Object.assign(config(), { auditKeptDays: 90 })
    await recordedDaysAgo(91)
    await recordedDaysAgo(89)
    putPerProcess('audit purge', undefined)
    await eraseOldAudit()
    expect((await entries()).map(({ facts }) => JSON.parse(facts))).toEqual([{ events: 89, faults: 0 }])
  })
})
