import { inspect } from 'node:util'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { DatabaseError } from '#lib/database/database-error.ts'
import { inAnotherBundle } from '#lib/testing/another-bundle.ts'
import { configureForTest, freshConsole } from '#lib/testing/test-console.ts'
import { inTransaction, store } from './store.ts'

const CANARY = 'Canary-7261'

beforeEach(async () => {
  await freshConsole()
})

async function failure(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

const add = async (actor: string, body: string) =>
  (await store()).insertInto('preference').values({ actor, body }).execute()

test.each<[name: string, code: string, statement: string, work: () => Promise<unknown>]>([
  ['a row that is there already', '23505', 'insert', async () => [await add(CANARY, 'a'), await add(CANARY, CANARY)]],
  ['a NUL in a text', '22021', 'insert', () => add('nul', `${CANARY}\u0000`)],
  [
    'a NUL in what is looked for',
    '22021',
    'select',
    async () => (await store()).selectFrom('command').selectAll().where('id', '=', `${CANARY}\u0000`).execute(),
  ],
  [
    'a value that a check refuses',
    '23514',
    'insert',
    async () =>
      (await store())
        .insertInto('issued_card')
        .values({
          ...Object.fromEntries(
            ['id', 'user_id', 'card_type_name', 'printed_name', 'issuer', 'issuer_name', 'command_id'].map((column) => [
              column,
              CANARY,
            ]),
          ),
          last4: `4${CANARY}`,
          card_type: 1,
          issued_at: '',
          came: 'issued',
          recorded_by: CANARY,
          recorded_at: '',
        } as never)
        .execute(),
  ],
  ['a text that is no number', '22P02', 'select', async () => sql`SELECT ${CANARY}::integer`.execute(await store())],
  [
    'a failure inside a transaction',
    '23502',
    'update',
    async () => {
      await add('other', CANARY)
      await inTransaction(await store(), (trx) =>
        trx
          .updateTable('preference')
          .set({ body: null as never })
          .where('body', '=', CANARY)
          .execute(),
      )
    },
  ],
])('%s fails with a code and without a value', async (_name, code, statement, work) => {
  const error = await failure(work())
  expect(error).toBeInstanceOf(DatabaseError)
  if (!(error instanceof DatabaseError)) return
  expect([error.code, error.statement]).toEqual([code, statement])
  expect(error.cause).toBeUndefined()
  const told = [error.message, error.stack, JSON.stringify(error), inspect(error, { depth: null, showHidden: true })]
  expect(told.join('\n')).not.toContain('Canary')
})

test.each(['40P01', '40001', '0A000'])('runs again after %s, also if another bundle opened the store', async (code) => {
  const other = await inAnotherBundle<typeof import('#lib/database/database-error.ts')>(
    'lib/database/database-error.ts',
  )
  expect(other.DatabaseError).not.toBe(DatabaseError)
  let runs = 0
  await inTransaction(await store(), async () => {
    runs += 1
    if (runs === 1) throw new other.DatabaseError(code, 'update')
  })
  expect(runs).toBe(2)
})

test('opens the store again after a failure', async () => {
  const known = peekPerProcess('store')
  putPerProcess('store', undefined)
  onTestFinished(() => putPerProcess('store', known))
  configureForTest({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  await expect(store()).rejects.toThrow()
  expect(peekPerProcess('store')).toBeUndefined()
})
