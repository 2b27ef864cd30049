import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertDraft, moveCommand } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { type Opened, open } from '#lib/database/open.ts'
import { testDatabaseUrl } from '#lib/database/test-database.ts'
import { inTransaction, migrate } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { configureForTest } from '#lib/testing/test-console.ts'
import { cosignature, publicKeyOf, readPublicKey } from '../../tools/witness.mjs'
import { type EventRow, isWrittenWith, leafWrittenWith, macOf, newSalts, saltedFields, withoutFields } from './event.ts'
import { logEvents, logHead, sequenceEvents } from './sequencer.ts'
import { verifyJournal } from './verify.ts'

type JournalKeys = Parameters<typeof verifyJournal>[1]

let opened: Opened<Tables>
let db: Kysely<Tables>

beforeAll(async () => {
  configureForTest()
  opened = await open<Tables>(await testDatabaseUrl())
  db = opened.db
  await migrate(db)
  // Whoever has the database's own administrator can do this; the log is there for that case.
  for (const table of ['command_event', 'log_leaf', 'log_node'])
    await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER ALL`.execute(db)
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
  await sequenceEvents(db)
})

afterAll(async () => {
  await opened.close()
})

/** What verification says after a statement; the statement is undone. */
const faultsAfter = (...statements: readonly string[]) => faultsIn(db, statements)

interface Check {
  readonly keys?: JournalKeys
  readonly chunk?: number
}

async function faultsIn(of: Kysely<Tables>, statements: readonly string[], { keys = config(), chunk }: Check = {}) {
  class Undo extends Error {}
  let report: Awaited<ReturnType<typeof verifyJournal>> | undefined
  await of
    .transaction()
    .execute(async (trx) => {
      for (const statement of statements) await sql.raw(statement).execute(trx)
      report = await verifyJournal(trx, keys, chunk)
      throw new Undo()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
  return report?.faults.map(({ sequence, what }) => `${sequence} ${what}`) ?? []
}

test.each([10_000, 3])('a journal as it was written is whole, %s rows at a time', async (chunk) => {
  expect(await verifyJournal(db, config(), chunk)).toMatchObject({ events: 20, faults: [] })
})

test('another key finds every event changed', async () => {
  expect((await verifyJournal(db, { ...config(), auditKey: Buffer.alloc(32, 9) })).faults[0]).toEqual({
    sequence: 1,
    what: 'was changed after it was written',
  })
})

describe.each([10_000, 3])('is found, %s rows at a time:', (chunk) => {
  const faultsAfter = (...statements: readonly string[]) => faultsIn(db, statements, { chunk })

  test.each(['at', 'state', 'actor', 'body', 'command_id'])('an edit of %s', async (column) => {
    const value =
      column === 'command_id' ? '(SELECT command_id FROM command_event WHERE sequence = 3)' : `${column} || 'x'`
    expect(await faultsAfter(`UPDATE command_event SET ${column} = ${value} WHERE sequence = 7`)).toContain(
      '7 was changed after it was written',
    )
  })

  test('a text that has no canonical form', async () => {
    expect(
      await faultsAfter(`UPDATE command_event SET body = replace(body, 'DEP~', '\\ud83d~') WHERE sequence = 7`),
    ).toContain('7 was changed after it was written')
  })

  test('an edit of a salt', async () => {
    expect(
      await faultsAfter(`UPDATE command_event SET salts = replace(salts, '"kind":"', '"kind":"A') WHERE sequence = 7`),
    ).toContain('7 was changed after it was written')
  })

  test('an event removed', async () => {
    expect(await faultsAfter('DELETE FROM command_event WHERE sequence = 7')).toContain('7 is missing')
  })

  test('an event removed with its leaf, and the rest closed up', async () => {
    expect(
      await faultsAfter(
        'DELETE FROM log_leaf WHERE sequence = 7',
        'DELETE FROM command_event WHERE sequence = 7',
        'UPDATE log_leaf SET "index" = "index" - 1 WHERE sequence > 7',
        'UPDATE log_head SET size = size - 1',
      ),
    ).toContain('8 has another hash in the signed log')
  })

  test('two events swapped', async () => {
    expect(
      await faultsAfter(
        'UPDATE log_leaf SET sequence = NULL WHERE sequence = 7',
        'UPDATE log_leaf SET sequence = 7 WHERE sequence = 9',
        'UPDATE log_leaf SET sequence = 9 WHERE "index" = 7',
      ),
    ).toContain('9 has another hash in the signed log')
  })

  test('a tail cut off', async () => {
    const cut = ['DELETE FROM log_leaf WHERE sequence > 18', 'DELETE FROM command_event WHERE sequence > 18']
    expect(await faultsAfter(...cut)).toContain('19 is missing')
    const faults = await faultsAfter(...cut, 'UPDATE log_head SET size = 19')
    expect(faults).toEqual(expect.arrayContaining(['18 has no checkpoint signed with LOG_KEY']))
  })

  test('an event removed from a log that was computed anew', async () => {
    const faults = await faultsAfter(
      'DELETE FROM log_leaf WHERE sequence = 20',
      'DELETE FROM command_event WHERE sequence = 20',
      'DELETE FROM log_node WHERE "index" = 20 AND level = 0',
      `UPDATE log_head SET size = 20, root = '${'ab'.repeat(32)}'`,
    )
    expect(faults).toEqual([
      '19 is not the end that was signed',
      '19 has no checkpoint signed with LOG_KEY',
      expect.stringMatching(/is not in the state of its latest event$/),
    ])
  })

  test('an event forged without the key', async () => {
    const forged = (await db
      .selectFrom('command_event')
      .selectAll()
      .where('sequence', '=', 20)
      .executeTakeFirst()) as EventRow
    const mac = macOf({ ...forged, sequence: 21, state: 'done' }, Buffer.alloc(32, 1))
    const insert = `INSERT INTO command_event (sequence, command_id, at, state, actor, body, salts, mac)
      SELECT 21, command_id, at, 'done', actor, body, salts, '${mac}' FROM command_event WHERE sequence = 20`
    expect(await faultsAfter(insert)).toContain('21 has no place in the signed log')
    expect(
      await faultsAfter(insert, 'INSERT INTO log_leaf VALUES (21, 21)', 'UPDATE log_head SET size = 22'),
    ).toContain('21 was changed after it was written')
    for (const refused of [true, false])
      expect(
        await faultsAfter(insert, `INSERT INTO log_pending (sequence, refused) VALUES (21, ${refused})`),
      ).toContain('21 was not written by this console')
  })

  test('an event added behind the end of the chain', async () => {
    expect(
      await faultsAfter(
        `INSERT INTO command_event SELECT 21, command_id, at, state, actor, body, 'x', mac, NULL FROM command_event WHERE sequence = 20`,
      ),
    ).toContain('21 has no place in the signed log')
  })

  const added = (
    sequence: number,
    salts: string,
  ) => `INSERT INTO command_event (sequence, command_id, at, state, actor, body, salts, mac)
    SELECT ${sequence}, command_id, at, state, actor, body, ${salts}, 'forged' FROM command_event WHERE sequence = 20`

  test('a field taken out, erased by a forged event', async () => {
    const event = await db.selectFrom('command_event').selectAll().where('sequence', '=', 7).executeTakeFirstOrThrow()
    const { body, salts, erased } = withoutFields(event, new Set(['params']))
    const faults = await faultsAfter(
      `UPDATE command_event SET body = '${body}', salts = '${salts}', erased = '${erased}' WHERE sequence = 7`,
      added(21, 'salts'),
      `UPDATE command_event SET body = '{"erased":{"7":["params"]}}' WHERE sequence = 21`,
      'INSERT INTO log_pending (sequence, refused) VALUES (21, false)',
    )
    expect(faults).toEqual(['21 was not written by this console', '7 lacks a field that no later event erased'])
  })

  test.each([
    ['beyond the signed log', [added(21, 'salts'), 'INSERT INTO log_leaf VALUES (900, 21)'], '21'],
    ['before the first', [added(0, 'NULL')], '0'],
    ['with a negative number', [added(-1, 'NULL')], '-1'],
    [
      'at the leaf of the chain',
      [
        added(21, 'salts'),
        "UPDATE command_event SET erased = '{' WHERE sequence = 21",
        'UPDATE log_leaf SET sequence = 21 WHERE "index" = 0',
      ],
      '21',
    ],
  ])('an event added %s', async (_where, statements, sequence) => {
    expect(await faultsAfter(...statements)).toContain(`${sequence} has no place in the signed log`)
  })

  test('an audit entry without an event', async () => {
    const entry = (id: string, sequence: number | null) =>
      `INSERT INTO audit_entry VALUES ('${id}', '2026-02-0${id}', 'session.ended', 'sso:1', 'O', NULL, '', '{}', ${sequence})`
    const faults = await faultsAfter(entry('1', null), entry('2', 20), entry('3', null))
    expect(faults).toContain('20 audit entry 3 has no event')
    expect(faults.filter((fault) => fault.includes('audit entry'))).toHaveLength(1)
  })

  test('a command moved without an event', async () => {
    const faults = await faultsAfter("UPDATE command SET state = 'done' WHERE target = 'DEP~4'")
    expect(faults[0]).toMatch(/is not in the state of its latest event$/)
  })
})

describe('the confirmation of a witness', () => {
  const [own, earlier] = [1, 2].map(() => ({ name: 'witness', key: generateKeyPairSync('ed25519').privateKey }))
  const { id, ...known } = readPublicKey(publicKeyOf('witness', own!.key), 4)
  const witness = { publicKey: { ...known, keyId: Buffer.from(id) } }
  const lineOf = (by: typeof own) => (text: string) => cosignature({ ...readAny, text }, by!, 1_790_000_000)
  const readAny = { origin: '', size: 0, root: Buffer.alloc(32) }
  const altered = '21 has an altered confirmation by the witness'

  test.each<[name: string, line: (text: string) => string, faults: readonly string[]]>([
    ['is accepted', lineOf(own), []],
    ['of an earlier one is accepted', lineOf(earlier), []],
    ['is a fault if it is altered', (text) => lineOf(own)(`${text}x`), [altered]],
    ['is a fault if it was taken out', () => '', [altered]],
  ])('%s', async (_name, line, faults) => {
    const { checkpoint } = await logHead(db)
    const note = checkpoint + line(checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1))
    const change = `UPDATE log_head SET cosigned = '${note}', cosigned_size = size`
    expect(await faultsIn(db, [change], { keys: { ...config(), witness } })).toEqual(faults)
  })

  test('stays good without the witness after LOG_KEY changed', async ({ onTestFinished }) => {
    onTestFinished(() => void configureForTest())
    const { db: log, close } = await open<Tables>(await testDatabaseUrl())
    await migrate(log)
    const grow = async (LOG_KEY: string) => {
      configureForTest({ LOG_KEY })
      const event = { at: new Date().toISOString(), state: 'console.start', actor: 'console', body: {} }
      await inTransaction(log, (trx) => logEvents(trx, [event]))
      await sequenceEvents(log)
    }
    const [OLD, NEW] = [8, 9].map((byte) => Buffer.alloc(32, byte).toString('base64'))
    await grow(OLD!)
    const { checkpoint, root } = await logHead(log)
    await log.updateTable('log_head').set({ cosigned: checkpoint, cosigned_size: 2 }).execute()
    for (const keys of [`${NEW},${OLD}`, NEW!]) await grow(keys)
    expect((await verifyJournal(log, config())).faults).toEqual([])
    const [kept, other] = [root, 'ab'.repeat(32)].map((hash) => Buffer.from(hash, 'hex').toString('base64'))
    const change = `UPDATE log_head SET cosigned = replace(cosigned, '${kept}', '${other}')`
    expect(await faultsIn(log, [change])).toEqual([
      '2 is the end of a log that the witness confirmed and that is not here',
    ])
    await close()
  })
})

describe('a chain from before the signed log', () => {
  let earlier: Opened<Tables>

  beforeAll(async () => {
    earlier = await open<Tables>(await testDatabaseUrl())
    const { db: old } = earlier
    await migrate(old)
    await sql`ALTER TABLE command_event DISABLE TRIGGER ALL`.execute(old)
    let end = { sequence: 0, mac: '' }
    for (let sequence = 1; sequence <= 5; sequence += 1) {
      const event = { command_id: 'c', at: '2026-01-01', state: 'draft', actor: 'sso:1', body: '{}', salts: null }
      const row = { ...event, sequence, previous_mac: end.mac }
      end = { sequence, mac: macOf(row, config().auditKey) }
      await old
        .insertInto('command_event')
        .values({ ...row, mac: end.mac })
        .execute()
    }
    await old.updateTable('ended_chain').set(end).execute()
    await sequenceEvents(old)
  })

  afterAll(async () => {
    await earlier.close()
  })

  test.each([10_000, 3])('is intact with the log after it, %s rows at a time', async (chunk) => {
    expect(await verifyJournal(earlier.db, config(), chunk)).toMatchObject({ events: 5, faults: [] })
  })

  test.each([
    ['an edit', "UPDATE command_event SET actor = 'x' WHERE sequence = 3", '3 was changed after it was written'],
    ['an event removed', 'DELETE FROM command_event WHERE sequence = 3', '3 is missing'],
    [
      'a tail cut off',
      'DELETE FROM command_event WHERE sequence > 3',
      '5 is the recorded end of the chain, but its last event is 3',
    ],
    ['another end', "UPDATE ended_chain SET mac = 'x'", '0 has another hash in the signed log'],
  ])('is found: %s', async (_what, statement, fault) => {
    expect(await faultsIn(earlier.db, [statement])).toContain(fault)
  })
})

test.each(['erased', 'body', 'salts'])('reports an altered %s that is no JSON', async (column) => {
  const faults = await faultsAfter(
    `UPDATE command_event SET ${column} = '{"entry":"erased":' WHERE sequence = 7`,
    'UPDATE command_event SET command_id = NULL WHERE sequence = 7',
  )
  expect(faults).toContain('7 was changed after it was written')
})

describe('the MAC of an event', () => {
  const key = Buffer.alloc(32, 5)
  const saltsOf = (...bytes: number[]) => JSON.stringify({ count: Buffer.from(bytes).toString('base64') })
  const salt = Array.from({ length: 16 }, () => 6)
  const written = {
    ...{
      erased: null,
      sequence: 1,
      command_id: 'c',
      at: '2026-01-01',
      state: 'draft',
      actor: 'sso:1',
      previous_mac: null,
    },
    ...{ body: '{"count":123}', salts: saltsOf(...salt) },
  }
  const event = { ...written, mac: macOf(written, key) }

  test.each<readonly [string, Partial<EventRow>]>([
    ['its first digit moved to the salt', { body: '{"count":23}', salts: saltsOf(...salt, 0x31) }],
    ['a field twice', { body: '{"count":999,"count":123}' }],
    ['another spelling of its JSON', { body: '{"count": 123}' }],
    ['no JSON', { body: '{"count":123' }],
    ['no salt', { salts: '{}' }],
    ['a previous MAC instead of salts', { salts: null }],
    ['another place', { sequence: 2 }],
  ])('is of no event with %s', (_what, change) => {
    expect(isWrittenWith(event, key)).toBe(true)
    expect(isWrittenWith({ ...event, ...change }, key)).toBe(false)
  })
})

describe('the fields of an event', () => {
  const key = Buffer.alloc(32, 5)
  const body = { kind: 'case.note', params: { caseId: 'C1', text: 'secret' }, facts: {}, decision: 'declined' }
  const about = { command_id: 'c', at: '2026-01-01', state: 'done', actor: 'sso:1', previous_mac: null, erased: null }
  const written = { ...about, sequence: 1, body: JSON.stringify(body), salts: newSalts(body) }
  const event = { ...written, mac: macOf(written, key) }

  test('are one for each member of params and facts', () => {
    expect([...saltedFields(event).keys()]).toEqual(['kind', 'params.caseId', 'params.text', 'facts', 'decision'])
  })

  test('can be erased, and its leaf is the same', () => {
    const erased = { ...event, ...withoutFields(event, new Set(['params.text'])) }
    expect(JSON.stringify(erased)).not.toContain('secret')
    expect(JSON.parse(erased.body)).toEqual({ ...body, params: { caseId: 'C1' } })
    expect(leafWrittenWith(erased, key)).toBe(leafWrittenWith(event, key))
  })

  test.each(['decision', 'kind', 'params.caseId'])('of evidence cannot be left out: %s', (name) => {
    expect(isWrittenWith({ ...event, ...withoutFields(event, new Set([name])) }, key)).toBe(false)
  })

  test('of an earlier build are one for all params', () => {
    const salts = JSON.stringify(
      Object.fromEntries(Object.keys(body).map((name) => [name, Buffer.alloc(16).toString('base64')])),
    )
    const earlier = { ...written, salts }
    expect([...saltedFields({ ...earlier }).keys()]).toEqual(['kind', 'params', 'facts', 'decision'])
    const whole = { ...earlier, mac: macOf(earlier, key) }
    expect(isWrittenWith({ ...whole, ...withoutFields(whole, new Set(['params'])) }, key)).toBe(true)
  })
})
