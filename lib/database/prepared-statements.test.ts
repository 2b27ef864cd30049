import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentProxy } from '#lib/testing/silent-proxy.ts'
import { type Opened, open, PREPARED } from './open.ts'
import { postgresDatabaseUrl } from './test-database.ts'

interface Tables {
  readonly thing: { readonly id: number; readonly name?: string }
}

let opened: Opened<Tables>

beforeEach(async () => {
  opened = await open<Tables>(await postgresDatabaseUrl(), { statementMs: 5_000, poolSize: 1 })
  await sql`CREATE TABLE thing (id integer)`.execute(opened.db)
})

afterEach(() => opened.close())

test('a connection without an answer at first leaves room for another', async () => {
  const url = new URL(await postgresDatabaseUrl())
  const proxy = await silentProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  const { db, close } = await open<Tables>(url.href, { statementMs: 300, poolSize: 1 })
  const ask = () => sql`SELECT 1`.execute(db)
  proxy.silenceAt('pg_backend_pid')
  await expect(ask()).rejects.toMatchObject({ code: 'ETIMEDOUT', statement: 'connect' })
  proxy.speak()
  await ask()
  await close()
  await proxy.stop()
})

const preparedNow = async (): Promise<readonly string[]> => {
  const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(opened.db)
  return rows.map(({ statement }) => statement)
}

const insert = (id: number) =>
  opened.db.insertInto('thing').values({ id }).returningAll().modifyEnd(PREPARED).executeTakeFirstOrThrow()

test('PostgreSQL keeps the plan of marked statements only', async () => {
  for (const id of [1, 2, 3]) expect(await insert(id)).toEqual({ id })
  expect(await opened.db.selectFrom('thing').select('id').execute()).toHaveLength(3)
  expect(await preparedNow()).toEqual([expect.stringMatching(/^insert into "thing"/)])
})

test('a statement runs again after a migration added columns', async () => {
  await insert(1)
  await sql`ALTER TABLE thing ADD COLUMN name text`.execute(opened.db)
  await expect(insert(2)).rejects.toMatchObject({ code: '0A000' })
  expect(await insert(3)).toEqual({ id: 3, name: null })
  expect(await opened.db.selectFrom('thing').select('id').orderBy('id').execute()).toEqual([{ id: 1 }, { id: 3 }])
})

test('at most a hundred statements are kept', async () => {
  for (let at = 0; at < 120; at += 1) await sql`SELECT ${sql.lit(at)} ${PREPARED}`.execute(opened.db)
  expect(await preparedNow()).toHaveLength(100)
})

test('a connection that only reads is used once', async () => {
  await sql`SET default_transaction_read_only = on`.execute(opened.db)
  await expect(insert(1)).rejects.toMatchObject({ code: '25006' })
  expect(await insert(2)).toEqual({ id: 2 })
})
