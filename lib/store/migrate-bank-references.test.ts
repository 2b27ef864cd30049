import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Opened, open } from '#lib/database/open.ts'
import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { foldBankReference } from '#lib/deposits/server.ts'
import { up } from './migrations/0044-identity-of-bank-references.ts'

const oldKey = (text: string) => `bank:${text.normalize('NFKC').replace(/\s+/g, ' ').trim().toUpperCase()}`

let opened: Opened<unknown>

beforeAll(async () => {
  opened = await open(await testDatabaseUrl(), { poolSize: 1 })
})
afterAll(() => opened.close())

interface Before {
  readonly id: string
  readonly bankReference: string
  readonly state: string
  readonly backTo?: string
  /** It holds no lock: another command borrowed it. */
  readonly lent?: boolean
}

/** A store as migration 0043 left it, as far as bank references go. */
async function storeOf(commands: readonly Before[]): Promise<void> {
  const { db } = opened
  await sql`DROP SCHEMA public CASCADE`.execute(db)
  await sql`CREATE SCHEMA public`.execute(db)
  await sql`CREATE TABLE command (id text PRIMARY KEY, kind text, state text, sent_at text, params text)`.execute(db)
  await sql`
    CREATE TABLE command_lock (key text PRIMARY KEY, command_id text NOT NULL REFERENCES command (id),
      for_ever boolean NOT NULL, back_to text REFERENCES command (id))`.execute(db)
  await sql`
    CREATE TABLE statement_line (statement_id text, number integer, bank_used text, bank_key text, bank_reference text,
      amount text, currency text, reference text, booked_on text, text text, fingerprint text)`.execute(db)
  await sql`CREATE TABLE entered_reference (edit_id text PRIMARY KEY, reference text, bank_key text)`.execute(db)
  await sql`CREATE TABLE command_event (sequence bigint, command_id text, body text)`.execute(db)
  await sql`CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'`.execute(
    db,
  )
  await sql`
    CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entered_reference
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`.execute(db)
  for (const [at, { id, bankReference, state }] of commands.entries()) {
    const params = JSON.stringify({ referenceId: id, bankReference, statementAmount: '1' })
    await sql`INSERT INTO command VALUES (${id}, 'deposit.confirm', ${state}, ${`2026-11-20T10:00:0${at}.000Z`}, ${params})`.execute(
      db,
    )
  }
  for (const { id, bankReference, backTo = null, lent = false } of commands) {
    if (!lent) await sql`INSERT INTO command_lock VALUES (${oldKey(bankReference)}, ${id}, true, ${backTo})`.execute(db)
  }
}

interface LockRow {
  readonly key: string
  readonly command_id: string
  readonly back_to: string | null
  readonly waits_for: string | null
}

/** Each lock as `holder of key`, or `command waits for key`. */
async function locks(): Promise<readonly string[]> {
  const { rows } = await sql<LockRow>`SELECT * FROM command_lock ORDER BY command_id, key`.execute(opened.db)
  return rows.map(({ key, command_id, waits_for }) =>
    waits_for === null ? `${command_id} holds ${key}` : `${command_id} waits for ${waits_for}`,
  )
}

const release = (id: string) => sql`DELETE FROM command_lock WHERE command_id = ${id}`.execute(opened.db)

test('moves each lock to the key of its bank reference', async () => {
  await storeOf([
    { id: 'plain', bankReference: 'atl 1', state: 'done' },
    { id: 'soft', bankReference: 'ATL\u00AD-2', state: 'done' },
    { id: 'dash', bankReference: 'atl\u20113', state: 'unknown' },
    { id: 'line', bankReference: 'ATL\u2028-4', state: 'not_applied' },
  ])
  await up(opened.db)
  expect(await locks()).toEqual([
    'dash holds bank:ATL-3',
    'line holds bank:ATL-4',
    'plain holds bank:ATL 1',
    'soft holds bank:ATL-2',
  ])
})

test('keeps every lock that becomes one with another', async () => {
  const texts = ['ATL-1', 'ATL\u200B-1', 'ATL\u2011' + '1', 'A\u034FTL-1']
  const states = ['not_applied', 'unknown', 'done', 'done']
  await storeOf(texts.map((bankReference, at) => ({ id: `c${at}`, bankReference, state: states[at] ?? '' })))
  await up(opened.db)
  const waiting = 'waits for bank:ATL-1'
  expect(await locks()).toEqual([`c0 ${waiting}`, `c1 ${waiting}`, 'c2 holds bank:ATL-1', `c3 ${waiting}`])
})

test('hands a released lock over until nobody waits for it', async () => {
  const texts = ['ATL-1', 'ATL\u200B-1', 'ATL\u00AD-1']
  await storeOf(texts.map((bankReference, at) => ({ id: `c${at}`, bankReference, state: 'not_applied' })))
  await up(opened.db)
  await release('c1')
  expect(await locks()).toEqual(['c0 holds bank:ATL-1', 'c2 waits for bank:ATL-1'])
  await release('c0')
  expect(await locks()).toEqual(['c2 holds bank:ATL-1'])
  await release('c2')
  expect(await locks()).toEqual([])
})

test('keeps a borrowed lock with its lender', async () => {
  await storeOf([
    { id: 'lender', bankReference: 'ATL\uFEFF1', state: 'not_applied', lent: true },
    { id: 'borrower', bankReference: 'atl 1', state: 'sent', backTo: 'lender' },
    { id: 'other', bankReference: 'ATL1', state: 'done' },
  ])
  await up(opened.db)
  expect(await locks()).toEqual(['borrower holds bank:ATL 1', 'lender waits for bank:ATL1', 'other holds bank:ATL1'])
  const { rows } = await sql`SELECT back_to FROM command_lock WHERE command_id = 'borrower'`.execute(opened.db)
  expect(rows).toEqual([{ back_to: 'lender' }])
})

test('moves lines and entered references to the same keys', async () => {
  await storeOf([])
  const { db } = opened
  const texts = ['ATL-1', 'atl\u00AD-1', '\u200B', `${'x'.repeat(140)}\u200B`, 'ATL\u20111']
  for (const [at, text] of texts.entries()) {
    await sql`INSERT INTO statement_line VALUES ('s', ${at}, ${text}, ${oldKey(text)}, ${text}, '1.00', '', 'DEP-1', '', 'x', ${`old ${at}`})`.execute(
      db,
    )
  }
  await sql`INSERT INTO entered_reference VALUES ('edit', NULL, ${oldKey('atl\u2028-7')}), ('reference', 'DEP-1', NULL)`.execute(
    db,
  )
  const body = JSON.stringify({ what: 'bank-reference', new: 'atl\u2028-7' })
  await sql`INSERT INTO command_event VALUES (1, 'edit', '{}'), (2, 'edit', ${body})`.execute(db)
  await up(db)
  const { rows } = await sql<{ bank_key: string | null; fingerprint: string }>`
    SELECT bank_key, fingerprint FROM statement_line ORDER BY number`.execute(db)
  expect(rows.map(({ bank_key }) => bank_key)).toEqual([
    'bank:ATL-1',
    'bank:ATL-1',
    null,
    `bank:${'X'.repeat(140)}`,
    'bank:ATL-1',
  ])
  const same = createHash('sha256').update('["ATL-1","1.00","","DEP-1","","x"]').digest('hex')
  expect([rows[0], rows[1], rows[4]].map((row) => row?.fingerprint)).toEqual([same, same, same])
  const entered = await sql`SELECT * FROM entered_reference ORDER BY edit_id`.execute(db)
  expect(entered.rows).toEqual([
    { edit_id: 'edit', reference: null, bank_key: `bank:${foldBankReference('atl\u2028-7')}` },
    { edit_id: 'reference', reference: 'DEP-1', bank_key: null },
  ])
  await expect(sql`DELETE FROM entered_reference`.execute(db)).rejects.toThrow()
})
