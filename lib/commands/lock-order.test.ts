import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { config } from '#lib/config/config.ts'
import { claimOf, dropClaim, endClaims } from '#lib/disputes/workspace/workspace-tables.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { untilLockWait } from '#lib/testing/lock-waiters.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { startCommand } from './execute.ts'
import { findCommand, moveCommand } from './store.ts'

beforeEach(async () => {
  await freshConsole()
})

const isPostgres = (): boolean => config().databaseUrl.startsWith('postgres')

/** The same store, with `onBegin` called for the transactions of this test alone: what else runs in this process has its own. */
const noting = (db: Kysely<Tables>, onBegin: () => void): Kysely<Tables> =>
  new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') onBegin()
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

test('a claim that ends while the command that made it settles: neither waits for the other', async () => {
  let begun = 0
  const db = noting(await store(), () => {
    begun += 1
  })
  for (let round = 0; round < 5; round += 1) {
    const caseId = randomUUID()
    const { commandId } = await claimedBy('sso:1', caseId)
    await startCommand(db, commandId, [])
    begun = 0
    const inside = Promise.withResolvers<void>()
    const met = Promise.withResolvers<void>()
    const settling = moveCommand(db, commandId, { from: ['sent'], to: 'done' }, async (trx) => {
      inside.resolve()
      await met.promise
      await dropClaim(trx, caseId)
    })
    await inside.promise
    const ending = endClaims(db, [caseId])
    // The embedded engine runs one transaction after the other.
    if (isPostgres()) await Promise.race([ending, untilLockWait()])
    met.resolve()
    await Promise.all([settling, ending])
    expect((await findCommand(db, commandId))?.state).toBe('done')
    expect(await claimOf(db, caseId)).toBeNull()
    // Nobody had to begin anew: the order of the locks is one.
    expect(begun).toBeLessThanOrEqual(2)
  }
  expect((await verifyJournal(db, config())).faults).toEqual([])
})

test('one of two transactions that wait for each other runs anew, and both come to an end', async () => {
  const db = await store()
  const [one, other] = [`one ${randomUUID()}`, `other ${randomUUID()}`]
  for (const actor of [one, other]) await db.insertInto('preference').values({ actor, body: '' }).execute()
  let [runs, held] = [0, 0]
  const bothHold = Promise.withResolvers<void>()
  const both = (first: string, second: string, mark: string) =>
    inTransaction(db, async (trx) => {
      runs += 1
      await append(trx, first, mark)
      held += 1
      if (held === 2) bothHold.resolve()
      if (isPostgres()) await bothHold.promise
      await append(trx, second, mark)
    })
  await Promise.all([both(one, other, 'a'), both(other, one, 'b')])
  const bodies = await db.selectFrom('preference').select('body').where('actor', 'in', [one, other]).execute()
  for (const { body } of bodies) expect([...body].sort()).toEqual(['a', 'b'])
  if (isPostgres()) expect(runs).toBeGreaterThan(2)
})

test('what fails for another reason fails at once', async () => {
  const db = await store()
  let runs = 0
  const failing = inTransaction(db, async () => {
    runs += 1
    throw new Error('as it is')
  })
  await expect(failing).rejects.toThrow('as it is')
  expect(runs).toBe(1)
})

const append = async (trx: Trx, actor: string, mark: string): Promise<void> => {
  const { body } = await trx
    .selectFrom('preference')
    .select('body')
    .where('actor', '=', actor)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('preference')
    .set({ body: body + mark })
    .where('actor', '=', actor)
    .execute()
}
