import { type AddressInfo, connect, createServer } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

/** A way to the server that cuts each connection at its first statement, until told otherwise. */
async function cuttingWay(url: string) {
  const [to, way] = [new URL(url), new URL(url)]
  let cuts = true
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    for (const [end, other] of [[near, far] as const, [far, near] as const]) {
      end.on('error', () => {}).on('close', () => other.destroy())
      end.on('data', (data) => (cuts && data.includes('pg_backend_pid') ? end.destroy() : other.write(data)))
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  way.host = `127.0.0.1:${port}`
  const heal = () => {
    cuts = false
  }
  return { url: way.href, heal, stop: () => server.close() }
}

test('a connection that is cut at first leaves room for another', async () => {
  const way = await cuttingWay(await postgresDatabaseUrl())
  const cut = await open<Tables>(way.url, { statementMs: 5_000, poolSize: 1 })
  const ask = () => sql`SELECT 1`.execute(cut.db)
  for (let n = 0; n < 3; n += 1) await expect(ask()).rejects.toMatchObject({ name: 'DatabaseError' })
  way.heal()
  await ask()
  await cut.close()
  way.stop()
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
