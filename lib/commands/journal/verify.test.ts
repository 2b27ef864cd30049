import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertDraft, moveCommand } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { type Opened, open } from '#lib/database/open.ts'
import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { migrate } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { macOf } from './chain.ts'
import { verifyChain } from './verify.ts'

let opened: Opened<Tables>
let db: Kysely<Tables>
const key = () => config().auditKey

beforeAll(async () => {
  configureForTest()
  opened = await open<Tables>(await testDatabaseUrl())
  db = opened.db
  await migrate(db)
  // Whoever has the database's own administrator can do this; the chain is there for that case.
  await sql`ALTER TABLE command_event DISABLE TRIGGER ALL`.execute(db)
  for (let n = 0; n < 10; n += 1) {
    const id = randomUUID()
    await insertDraft(db, {
      id,
      kind: 'deposit.confirm',
      actor: 'sso:1',
      actorName: 'O',
      target: `DEP~${n}`,
      params: '{}',
      facts: '{}',
    })
    await moveCommand(db, id, { from: ['draft'], to: 'closed' })
  }
})

afterAll(async () => {
  await opened.close()
})

/** What verification says after a statement; the statement is undone. */
async function faultsAfter(...statements: readonly string[]) {
  class Undo extends Error {}
  let report: Awaited<ReturnType<typeof verifyChain>> | undefined
  await db
    .transaction()
    .execute(async (trx) => {
      for (const statement of statements) await sql.raw(statement).execute(trx)
      report = await verifyChain(trx, key())
      throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
  return report?.faults.map(({ sequence, what }) => `${sequence} ${what}`) ?? []
}

test('a journal as it was written is whole', async () => {
  expect(await verifyChain(db, key())).toMatchObject({ events: 20, faults: [] })
})

test('another key finds every event changed', async () => {
  expect((await verifyChain(db, Buffer.alloc(32, 9))).faults[0]).toEqual({
    sequence: 1,
    what: 'was changed after it was written',
  })
})

describe('is found:', () => {
  test.each(['at', 'state', 'actor', 'body', 'command_id'])('an edit of %s', async (column) => {
    const value =
      column === 'command_id' ? '(SELECT command_id FROM command_event WHERE sequence = 3)' : `${column} || 'x'`
    expect(await faultsAfter(`UPDATE command_event SET ${column} = ${value} WHERE sequence = 7`)).toContain(
      '7 was changed after it was written',
    )
  })

  test('an event removed', async () => {
    expect(await faultsAfter('DELETE FROM command_event WHERE sequence = 7')).toContain('7 is missing')
  })

  test('an event removed, and the rest closed up', async () => {
    expect(
      await faultsAfter(
        'DELETE FROM command_event WHERE sequence = 20',
        'DELETE FROM command_event WHERE sequence = 7',
        'UPDATE command_event SET sequence = sequence - 1 WHERE sequence > 7',
      ),
    ).not.toEqual([])
  })

  test('two events swapped', async () => {
    expect(
      await faultsAfter(
        'UPDATE command_event SET sequence = 0 WHERE sequence = 7',
        'UPDATE command_event SET sequence = 7 WHERE sequence = 9',
        'UPDATE command_event SET sequence = 9 WHERE sequence = 0',
      ),
    ).toContain('7 does not follow the event before it')
  })

  test('a tail cut off', async () => {
    expect(await faultsAfter('DELETE FROM command_event WHERE sequence > 18')).toContain(
      '20 is the recorded end, but the last event is 18',
    )
  })

  test('an event forged without the key', async () => {
    const event = { sequence: 21, command_id: '', at: '', state: 'done', actor: '', body: '{}', previous_mac: '' }
    const forged = macOf(event, Buffer.alloc(32, 1))
    expect(
      await faultsAfter(
        `INSERT INTO command_event SELECT 21, command_id, at, 'done', actor, body, mac, '${forged}' FROM command_event WHERE sequence = 20`,
        `UPDATE command_chain SET sequence = 21, mac = '${forged}'`,
      ),
    ).toContain('21 was changed after it was written')
  })

  test('an event added behind the end', async () => {
    expect(
      await faultsAfter(
        "INSERT INTO command_event SELECT 21, command_id, at, state, actor, body, mac, 'x' FROM command_event WHERE sequence = 20",
      ),
    ).toContain('21 comes after the recorded end')
  })

  test('a command moved without an event', async () => {
    const faults = await faultsAfter("UPDATE command SET state = 'done' WHERE target = 'DEP~4'")
    expect(faults[0]).toMatch(/is not in the state of its latest event$/)
  })
})
