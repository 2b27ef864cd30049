import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { insertDraft, moveCommand } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { sequenceAll } from '#lib/journal/sequencer.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { entryWords } from './entry-words.ts'
import { checkJournal, latestCheck } from './journal-check.ts'

let session: Session

const draftOf = (n: number) => ({
  ...{ id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, kind: 'deposit.confirm' },
  ...{ actor: 'sso:1', actorName: 'O', target: `DEP~${n}`, params: '{}', facts: '{}' },
})

async function write(count: number, from = 0): Promise<void> {
  const db = await store()
  for (let n = from; n < from + count; n += 1) {
    await insertDraft(db, draftOf(n))
  }
  await sequenceAll()
}

/** As whoever has the database’s own administrator could. */
async function tamper(statement: string): Promise<void> {
  await (await store()).transaction().execute(async (trx) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(trx)
    await sql.raw(statement).execute(trx)
  })
}

beforeEach(async () => {
  await freshConsole()
  putPerProcess('journal check', undefined)
  session = await openForTest(await signInForTest())
  await write(6)
})
afterAll(() => putPerProcess('journal check', undefined))

test('before the first check nothing is claimed', async () => {
  expect(await latestCheck()).toBeNull()
})

test('a journal as it was written is whole; how many events, when and by whom is kept for everybody', async () => {
  const before = new Date().toISOString()
  const check = await checkJournal(session)
  expect(check).toMatchObject({ events: 7, faults: [], byName: 'operator@example.com' })
  expect(check.at >= before).toBe(true)
  expect(await latestCheck()).toEqual(check)
})

test.each([
  ['an event that was changed', "UPDATE command_event SET actor = 'sso:2' WHERE sequence = 4", 4, 'was changed'],
  ['an event that was removed', 'DELETE FROM command_event WHERE sequence = 4', 4, 'is missing'],
  ['a tail that was cut off', 'DELETE FROM command_event WHERE sequence > 5', 6, 'is missing'],
])('%s is told, and the latest check says so instead of the one before', async (_what, statement, sequence, what) => {
  await checkJournal(session)
  await tamper(statement)
  const { faults } = await checkJournal(session)
  expect(faults[0]).toEqual({ sequence, what: expect.stringContaining(what) })
  expect((await latestCheck())?.faults).toEqual(faults)
})

test('says when there may be more faults than it lists', async () => {
  await write(20, 10)
  await tamper("UPDATE command_event SET actor = 'sso:2'")
  expect(await checkJournal(session)).toMatchObject({ faults: { length: 20 }, isCut: true })
  expect(await latestCheck()).toMatchObject({ isCut: true })
  const db = await store()
  const [entry] = await db.selectFrom('audit_entry').selectAll().where('kind', '=', 'journal.check').execute()
  expect(entry && entryWords(entry).details).toBe('not intact: 20 or more wrong')
})

test('two who ask at once get the same check', async () => {
  const [one, other] = await Promise.all([checkJournal(session), checkJournal(session)])
  expect(one).toBe(other)
})

test('what is written while the journal is checked is no fault', async () => {
  const db = await store()
  let checking = true
  const writing = (async () => {
    for (let n = 100; checking; n += 1) {
      await write(1, n)
      await moveCommand(db, `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, { from: ['draft'], to: 'closed' })
    }
  })()
  try {
    for (let n = 0; n < 15; n += 1) expect((await verifyJournal(db, config())).faults).toEqual([])
  } finally {
    checking = false
    await writing
  }
})

test('reports an altered log while events wait', async () => {
  await tamper("UPDATE log_head SET root = repeat('ab', 32)")
  await insertDraft(await store(), draftOf(7))
  expect((await checkJournal(session)).faults).toContainEqual({ sequence: 7, what: 'is not the end that was signed' })
})
