import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { insertDraft, moveCommand } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { duringWork, log } from '#lib/config/log.ts'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { FailingStore, type Failure } from '#lib/testing/failing-store.ts'
import { configureForTest, freshConsole } from '#lib/testing/test-console.ts'
import { isSignedCheckpoint } from './checkpoint.ts'
import {
  inJournal,
  logHead,
  placeAndPrint,
  prepareLog,
  sequenceAll,
  sequenceEvents,
  startSequencer,
  waitingEvents,
} from './sequencer.ts'
import { verifyJournal } from './verify.ts'

let db: Kysely<Tables>

beforeEach(async () => {
  await freshConsole()
  db = await store()
})

async function change(moves = 1): Promise<string> {
  const about = { kind: 'deposit.confirm', target: randomUUID(), params: '{}', facts: '{}' }
  const { id } = await insertDraft(db, { id: randomUUID(), actor: 'sso:1', actorName: 'O', ...about })
  for (let at = 0; at < moves; at += 1) await moveCommand(db, id, { from: ['draft', 'challenged'], to: 'challenged' })
  return id
}

const leaves = async () =>
  await db
    .selectFrom('log_leaf')
    .leftJoin('command_event', 'command_event.sequence', 'log_leaf.sequence')
    .select(['log_leaf.index', 'log_leaf.sequence', 'command_id'])
    .orderBy('log_leaf.index')
    .execute()

/** Each event has one place, and the events of one command are in their order. */
async function expectWhole(events: number): Promise<void> {
  const placed = await leaves()
  expect(placed.map(({ index }) => index)).toEqual(Array.from({ length: events + 1 }, (_, at) => at))
  expect(new Set(placed.map(({ sequence }) => sequence)).size).toBe(events + 1)
  for (const [, own] of Map.groupBy(placed, ({ command_id }) => command_id)) {
    const sequences = own.map(({ sequence }) => Number(sequence))
    expect(sequences).toEqual(sequences.toSorted((one, other) => one - other))
  }
  expect(await verifyJournal(db, config())).toMatchObject({ events, faults: [] })
}

test('marks the request whose events are committed', async () => {
  const request = { id: 'r', route: '/', person: null, hasWritten: false }
  await duringWork({ request }, () => inJournal(db, async () => {}))
  expect(request.hasWritten).toBe(false)
  await duringWork({ request }, () => change(0))
  expect(request.hasWritten).toBe(true)
})

test('gives events places, and signs what the log has', async () => {
  await change()
  expect((await waitingEvents(db)).count).toBe(2)
  expect(await sequenceEvents(db)).toBe(2)
  const { size, root, checkpoint } = await logHead(db)
  const { logKeys, logOrigin: origin } = config()
  expect([size, origin]).toEqual([3, 'localhost:3000'])
  expect(isSignedCheckpoint(checkpoint, { origin, size, root }, logKeys)).toBe(true)
  await expectWhole(2)
  expect(await sequenceEvents(db)).toBe(0)
  expect((await logHead(db)).size).toBe(3)
})

test('several sequencers give every event one place', async () => {
  const writing = Array.from({ length: 20 }, () => change(3))
  const sequencing = (async () => {
    for (let at = 0; at < 40; at += 1) await Promise.all([sequenceEvents(db), sequenceEvents(db), sequenceEvents(db)])
  })()
  await Promise.all([...writing, sequencing])
  await sequenceAll()
  await expectWhole(80)
})

test.each<Failure>(['before', 'after', 'out'])('whatever statement fails (%s), no event is lost', async (failure) => {
  const { failing, remove } = await FailingStore.install()
  try {
    let events = 0
    for (let statement = 1; ; statement += 1) {
      await change()
      events += 2
      const failed = await failing.live(statement, failure, async () => await sequenceEvents(await store()))
      if (!failed) break
      expect((await verifyJournal(db, config())).faults).toEqual([])
      await sequenceEvents(db)
    }
    expect(events).toBeGreaterThan(20)
    await expectWhole(events)
  } finally {
    remove()
  }
})

test('refuses an event that was not written with the key', async () => {
  const id = await change()
  await sequenceAll()
  await sql`INSERT INTO command_event (sequence, command_id, at, state, actor, body, salts, mac)
    SELECT 1000000, command_id, at, 'done', actor, body, salts, mac FROM command_event WHERE sequence = (
      SELECT max(sequence) FROM command_event WHERE command_id = ${id})`.execute(db)
  await sql`INSERT INTO log_pending (sequence) VALUES (1000000)`.execute(db)
  await change()
  await sequenceAll()
  await sequenceAll()
  expect((await logHead(db)).size).toBe(5)
  expect(await waitingEvents(db)).toMatchObject({ count: 0, oldestSeconds: expect.closeTo(0, -2) })
  expect((await verifyJournal(db, config())).faults).toContainEqual({
    sequence: 1_000_000,
    what: 'was not written by this console',
  })
})

const OTHER_KEY = Buffer.alloc(32, 9).toString('base64')

test('neither places nor refuses with another AUDIT_KEY', async () => {
  const { databaseUrl: DATABASE_URL } = config()
  await change()
  await sequenceAll()
  await change()
  configureForTest({ DATABASE_URL, AUDIT_KEY: OTHER_KEY })
  await change()
  await expect(sequenceEvents(db)).rejects.toThrow('not written with this AUDIT_KEY')
  expect([(await logHead(db)).size, await waitingEvents(db)]).toMatchObject([3, { count: 4 }])
  configureForTest({ DATABASE_URL })
  await sequenceAll()
  expect((await logHead(db)).size).toBe(5)
})

test('goes on after one placed event was altered', async () => {
  await change()
  await sequenceAll()
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(trx)
    await sql`UPDATE command_event SET actor = 'x' WHERE sequence = (SELECT max(sequence) FROM log_leaf)`.execute(trx)
  })
  await change()
  await sequenceAll()
  expect((await logHead(db)).size).toBe(5)
})

test('checks refused events again at a start', async () => {
  await change()
  await sequenceAll()
  await change()
  await sql`UPDATE log_pending SET refused = true`.execute(db)
  await sequenceAll()
  expect((await logHead(db)).size).toBe(3)
  await prepareLog()
  await sequenceAll()
  await expectWhole(4)
})

test('tells how long the oldest event has waited', async () => {
  await change()
  await sql`UPDATE log_pending SET since = since - 11`.execute(db)
  expect((await waitingEvents(db)).oldestSeconds).toBeGreaterThan(11)
  await sequenceAll()
  expect(await waitingEvents(db)).toEqual({ count: 0, oldestSeconds: 0 })
})

describe('events without a place are logged', () => {
  const late = () =>
    vi
      .mocked(log().error)
      .mock.calls.filter(([about]) => (about as { readonly event?: string }).event === 'journal-late')

  beforeEach(() => {
    putPerProcess('journal warning', undefined)
    vi.spyOn(log(), 'error')
  })

  test('after ten seconds', async ({ onTestFinished }) => {
    onTestFinished(() => peekPerProcess<() => void>('sequencer')?.())
    await change()
    await sql`UPDATE log_pending SET since = since - 11, refused = true`.execute(db)
    startSequencer()
    const line = { why: expect.stringMatching(/^an event has waited for \d+ s$/) }
    await eventually(() => expect(late()).toMatchObject([[line, expect.anything()]]))
  })

  test('once a minute', async ({ onTestFinished }) => {
    onTestFinished(() => void vi.useRealTimers())
    await change()
    await sequenceAll()
    await change()
    await sql`UPDATE log_head SET root = 'x'`.execute(db)
    const now = Date.now()
    for (const seconds of [0, 59, 61]) {
      vi.useFakeTimers({ toFake: ['Date'], now: now + seconds * 1000 })
      await placeAndPrint()
    }
    expect(late()).toHaveLength(2)
  })
})

test('places the end of the chain without an event', async () => {
  await sequenceAll()
  expect((await logHead(db)).size).toBe(1)
  expect(await verifyJournal(db, config())).toMatchObject({ events: 0, faults: [] })
  try {
    await sql`UPDATE ended_chain SET mac = 'another'`.execute(db)
    expect((await verifyJournal(db, config())).faults.map(({ what }) => what)).toContain(
      'has another hash in the signed log',
    )
  } finally {
    await sql`UPDATE ended_chain SET mac = ''`.execute(db)
  }
})

describe('signs nothing after somebody', () => {
  test.each([
    [
      'set the head back',
      'UPDATE log_head SET size = 1, root = (SELECT hash FROM log_node WHERE level = 0 AND index = 0)',
    ],
    ['changed the root', "UPDATE log_head SET root = repeat('ab', 32)"],
    ['changed the checkpoint', "UPDATE log_head SET checkpoint = replace(checkpoint, '—', '-')"],
    ['changed a hash', "UPDATE log_node SET hash = repeat('ab', 32) WHERE level = 2"],
    ['removed a hash', 'DELETE FROM log_node WHERE level = 2'],
  ])('%s', async (_what, statement) => {
    await change(3)
    await sequenceAll()
    await db.transaction().execute(async (trx) => {
      await sql`SET LOCAL session_replication_role = replica`.execute(trx)
      await sql.raw(statement).execute(trx)
    })
    const { checkpoint } = await logHead(db)
    await change()
    await expect(sequenceEvents(db)).rejects.toThrow(/signed/)
    expect((await logHead(db)).checkpoint).toBe(checkpoint)
    expect((await waitingEvents(db)).count).toBe(2)
    expect((await verifyJournal(db, config())).faults).not.toEqual([])
  })
})

test('goes on after LOG_ORIGIN has changed', async () => {
  await change()
  await sequenceAll()
  const { logKeys } = configureForTest({ DATABASE_URL: config().databaseUrl, LOG_ORIGIN: 'new.example.com' })
  await change()
  await sequenceAll()
  const { size, root, checkpoint } = await logHead(db)
  expect(isSignedCheckpoint(checkpoint, { origin: 'new.example.com', size, root }, logKeys)).toBe(true)
  await expectWhole(4)
})

test('goes on after LOG_KEY has changed, without the old key too', async () => {
  const [old, now] = [8, 9].map((byte) => Buffer.alloc(32, byte).toString('base64'))
  for (const LOG_KEY of [`${old}`, `${now},${old}`, `${now}`]) {
    configureForTest({ DATABASE_URL: config().databaseUrl, LOG_KEY })
    await change()
    await sequenceAll()
  }
  await expectWhole(6)
})

test('refuses to sign on from a key that it was not given', async () => {
  await change()
  await sequenceAll()
  configureForTest({ DATABASE_URL: config().databaseUrl, LOG_KEY: Buffer.alloc(32, 9).toString('base64') })
  await change()
  await expect(sequenceEvents(db)).rejects.toThrow('not signed with LOG_KEY')
})
