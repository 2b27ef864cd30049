import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Opened, open } from './open.ts'
import { testPostgresDatabaseUrl } from './test-database.ts'

interface Tables {
  thing: { id: string; amount: string | null; size: number | null; on: boolean | null; count: number | null }
}

const rows: readonly Tables['thing'][] = [
  { id: 'a', amount: '12.50000000', size: 7, on: true, count: 9_007_199_254_740_991 },
  { id: '', amount: '-0.00000001', size: 0, on: false, count: -1 },
  { id: 'ü \u202E 👍 "\'\\ \n', amount: null, size: null, on: null, count: null },
]

/** Both engines, as both programs open them, must do the same. */
describe.each([['pglite'], ['pglite in a folder'], ['postgres']])('%s', (engine) => {
  let opened: Opened<Tables>
  let folder: string

  async function addressOf(): Promise<string> {
    if (engine === 'pglite') return 'memory:'
    if (engine === 'pglite in a folder') return `file:${join(folder, 'store')}`
    return await testPostgresDatabaseUrl()
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'engines-'))
    opened = await open<Tables>(await addressOf())
  })
  afterAll(async () => {
    await opened.close()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    const { db } = opened
    await sql`DROP TABLE IF EXISTS thing`.execute(db)
    await sql`CREATE TABLE thing (id text PRIMARY KEY, amount numeric(30, 8), size integer, "on" boolean, count bigint)`.execute(
      db,
    )
    await db.insertInto('thing').values(rows).execute()
  })

  const stored = () => opened.db.selectFrom('thing').selectAll().orderBy('size').execute()

  test('values come back as they went in: text, exact decimals, whole numbers, truth and nothing', async () => {
    expect(new Set(await stored())).toEqual(new Set(rows))
    for (const row of rows) {
      expect(await opened.db.selectFrom('thing').selectAll().where('id', '=', row.id).execute()).toEqual([row])
    }
  })

  test('an int8 that a number cannot hold is a fault, never a rounded value', async () => {
    await expect(sql`SELECT 9007199254740993 AS count`.execute(opened.db)).rejects.toThrow(RangeError)
    expect((await sql`SELECT count(*) AS count FROM thing`.execute(opened.db)).rows).toEqual([{ count: 3 }])
  })

  test('a change says how many rows it changed', async () => {
    const { db } = opened
    const updated = await db.updateTable('thing').set({ size: 1 }).where('id', '!=', 'a').executeTakeFirst()
    expect(updated.numUpdatedRows).toBe(2n)
    const deleted = await db.deleteFrom('thing').where('id', '=', 'nobody').executeTakeFirst()
    expect(deleted.numDeletedRows).toBe(0n)
    const ignored = await db
      .insertInto('thing')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    expect(ignored.numInsertedOrUpdatedRows).toBe(0n)
  })

  test.each([
    ['a key that is taken', `INSERT INTO thing (id) VALUES ('a')`, '23505'],
    ['a table that is not there', 'SELECT * FROM nothing', '42P01'],
    ['what is no statement', 'SELEC', '42601'],
    ['a value of another type', `UPDATE thing SET size = 'x'`, '22P02'],
    ['division by zero, halfway', 'SELECT 1 / (size - 7) FROM thing ORDER BY size', '22012'],
  ])('%s is refused with the code of the database, and the next statement works', async (_what, text, code) => {
    await expect(sql.raw(text).execute(opened.db)).rejects.toMatchObject({ code })
    expect(await stored()).toHaveLength(rows.length)
  })

  test('a transaction that throws leaves nothing', async () => {
    const broken = opened.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('thing').execute()
      throw new Error('changed my mind')
    })
    await expect(broken).rejects.toThrow('changed my mind')
    expect(await stored()).toHaveLength(rows.length)
  })

  test('a transaction in which a statement failed cannot be committed, even when the failure was overlooked', async () => {
    const overlooked = opened.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('thing').execute()
      await sql`SELECT 1 / 0`.execute(trx).catch(() => null)
    })
    await expect(overlooked).rejects.toThrow()
    expect(await stored()).toHaveLength(rows.length)
  })

  test('transactions that start at once come one after the other, and others see them whole', async () => {
    const { db } = opened
    await db.updateTable('thing').set({ size: 0 }).execute()
    const add = () =>
      db.transaction().execute(async (trx) => {
        await sql`SELECT pg_advisory_xact_lock(1)`.execute(trx)
        const { size } = await trx.selectFrom('thing').select('size').where('id', '=', 'a').executeTakeFirstOrThrow()
        await trx
          .updateTable('thing')
          .set({ size: Number(size) + 1 })
          .execute()
      })
    const look = async () => new Set((await stored()).map(({ size }) => size)).size
    const [seen] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, look)),
      ...Array.from({ length: 20 }, add),
    ])
    expect(new Set(seen)).toEqual(new Set([1]))
    expect((await stored()).map(({ size }) => size)).toEqual([20, 20, 20])
  })

  test('a table that is made anew with other columns is read as it is now', async () => {
    const { db } = opened
    const all = () => sql`SELECT * FROM thing`.execute(db)
    await all()
    await sql`DROP TABLE thing`.execute(db)
    await sql`CREATE TABLE thing (name integer)`.execute(db)
    await sql`INSERT INTO thing VALUES (1)`.execute(db)
    expect((await all()).rows).toEqual([{ name: 1 }])
  })

  test('a parameter of some megabytes arrives whole', async () => {
    const large = 'ü'.repeat(3_000_000)
    const { rows: found } = await sql`SELECT length(${large}::text) AS length`.execute(opened.db)
    expect(found).toEqual([{ length: 3_000_000 }])
  })
})

test('PGlite refuses a parameter that the two engines would not write alike', async () => {
  const { db, close } = await open<Tables>('memory:')
  await expect(sql`SELECT ${new Date(0)}::text`.execute(db)).rejects.toThrow(TypeError)
  await close()
})
