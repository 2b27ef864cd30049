import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { open } from '#lib/database/open.ts'
import { up } from './migrations/0042-entered-references.ts'

test('a store of before gains who entered which reference, out of its events', async () => {
  const { db, close } = await open('memory:', { poolSize: 1 })
  await sql`CREATE TABLE command (id text PRIMARY KEY, kind text, actor text)`.execute(db)
  await sql`CREATE TABLE command_event (command_id text, body text)`.execute(db)
  await sql`CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'`.execute(
    db,
  )
  const edits = [
    ['typed', { what: 'reference', new: 'DEP-1' }],
    ['taken', { what: 'accept', new: 'DEP-2' }],
    ['bank', { what: 'bank-reference', new: ' atl  7 ' }],
    ['emptied', { what: 'bank-reference', new: '' }],
    ['looked', { what: 'look', new: '' }],
    ['aside', { what: 'set-aside', new: 'DEP-1 is asked for' }],
  ] as const
  for (const [id, body] of edits) {
    await sql`INSERT INTO command VALUES (${id}, 'statement.edit-line', ${`sso:${id}`})`.execute(db)
    await sql`INSERT INTO command_event VALUES (${id}, ${JSON.stringify(body)})`.execute(db)
  }
  await sql`INSERT INTO command VALUES ('other', 'deposit.confirm', 'sso:other')`.execute(db)
  await sql`INSERT INTO command_event VALUES ('other', '{"what":"reference","new":"DEP-9"}')`.execute(db)
  await up(db)
  const { rows } = await sql`SELECT * FROM entered_reference ORDER BY edit_id`.execute(db)
  expect(rows).toEqual([
    { edit_id: 'bank', actor: 'sso:bank', reference: null, bank_key: 'bank:ATL 7' },
    { edit_id: 'taken', actor: 'sso:taken', reference: 'DEP-2', bank_key: null },
    { edit_id: 'typed', actor: 'sso:typed', reference: 'DEP-1', bank_key: null },
  ])
  await expect(sql`DELETE FROM entered_reference`.execute(db)).rejects.toThrow()
  await close()
})
