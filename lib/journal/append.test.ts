import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { checkJournal } from '#lib/activity/journal-check.ts'
import { startCommand } from '#lib/commands/execute.ts'
import { lockCommand } from '#lib/commands/locks.ts'
import { recordAct } from '#lib/commands/record.ts'
import type { CommandState } from '#lib/commands/row.ts'
import { appendNote, findCommand, insertDraft, moveCommand, moveIn } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { open } from '#lib/database/open.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { meters } from '#lib/telemetry/spans.ts'
import { inAnotherBundle } from '#lib/testing/another-bundle.ts'
import { untilLockWait } from '#lib/testing/lock-waiters.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { findEvents } from './event.ts'
import { appendEvent, inJournal, sequenceAll } from './sequencer.ts'
import { verifyJournal } from './verify.ts'

let db: Kysely<Tables>

beforeEach(async () => {
  await freshConsole()
  db = await store()
})

const drafted = async (target: string = randomUUID()): Promise<string> => {
  const about = { kind: 'deposit.confirm', target, params: '{}', facts: '{}' }
  return (await insertDraft(db, { id: randomUUID(), actor: 'sso:1', actorName: 'O', ...about })).id
}

async function sent(key: string, target?: string): Promise<string> {
  const id = await drafted(target)
  const started = await startCommand(db, id, [{ key, permanent: true }])
  expect(started.ok).toBe(true)
  return id
}

/** A moment that comes when it is told to. */
function moment(): { readonly comes: Promise<void>; readonly now: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { comes: promise, now: resolve }
}

const statesOf = async (id: string): Promise<string[]> => {
  const events = db.selectFrom('command_event').select('state').where('command_id', '=', id).orderBy('sequence')
  return (await events.execute()).map(({ state }) => state)
}

const expectWhole = async (): Promise<void> => expect((await verifyJournal(db, config())).faults).toEqual([])

test('a change under way keeps no other from the journal', async () => {
  const id = await sent(randomUUID())
  const [reached, goOn] = [moment(), moment()]
  const moving = moveCommand(db, id, { from: ['sent'], to: 'done' }, async () => {
    reached.now()
    await goOn.comes
  })
  await reached.comes
  const meanwhile = await drafted()
  expect([await statesOf(meanwhile), await statesOf(id)]).toEqual([['draft'], ['draft', 'sent']])
  goOn.now()
  expect((await moving)?.state).toBe('done')
  expect(await statesOf(id)).toEqual(['draft', 'sent', 'done'])
  await expectWhole()
})

test('keeps each command’s order when many write at once', async () => {
  const ids = await Promise.all(Array.from({ length: 25 }, () => sent(randomUUID())))
  const to: CommandState[] = ['unknown', 'applied']
  await Promise.all(
    ids.map(async (id) => {
      await moveCommand(db, id, { from: ['sent'], to: 'unknown' })
      await moveCommand(db, id, { from: ['unknown'], to: 'applied' })
    }),
  )
  await sequenceAll()
  expect(await verifyJournal(db, config())).toMatchObject({ events: 100, faults: [] })
  for (const id of ids) expect(await statesOf(id)).toEqual(['draft', 'sent', ...to])
})

test('counts a move only if the command made it', async () => {
  const id = await drafted()
  const counted = vi.spyOn(meters(), 'command')
  onTestFinished(() => counted.mockRestore())
  const moveFrom = (from: CommandState) =>
    inJournal(db, async (trx) => {
      const locked = (await lockCommand(trx, id, [])) ?? undefined
      return await moveIn(trx, id, { from: [from], to: 'sent' }, locked)
    })
  expect(await moveFrom('unknown')).toBeNull()
  expect(counted).not.toHaveBeenCalled()
  await moveFrom('draft')
  expect(counted.mock.calls).toEqual([['deposit.confirm', 'sent']])
})

test('keeps the order of a note before a move', async () => {
  const id = await sent(randomUUID())
  await inJournal(db, async (trx) => {
    appendNote(trx, id, { first: true })
    await moveIn(trx, id, { from: ['sent'], to: 'unknown' })
    await moveIn(trx, id, { from: ['unknown'], to: 'applied' })
  })
  const bodies = db.selectFrom('command_event').select('body').where('command_id', '=', id).orderBy('sequence')
  expect((await bodies.execute()).map(({ body }) => JSON.parse(body).first === true).slice(2)).toEqual([
    true,
    false,
    false,
  ])
  await sequenceAll()
  await expectWhole()
})

test('a note that is taken while its command moves on has the state that the command has by then', async () => {
  const id = await sent(randomUUID())
  const [reached, goOn] = [moment(), moment()]
  const noting = inJournal(db, async (trx) => {
    appendNote(trx, id, { ended: 'for a test' })
    reached.now()
    await goOn.comes
  })
  await reached.comes
  await moveCommand(db, id, { from: ['sent'], to: 'done' })
  goOn.now()
  await noting
  expect(await statesOf(id)).toEqual(['draft', 'sent', 'done', 'done'])
  await expectWhole()
})

test('a key is not lent while an effect of the command that keeps it is being written down', async () => {
  const [key, target] = [randomUUID(), randomUUID()]
  const keeps = await sent(key, target)
  await moveCommand(db, keeps, { from: ['sent'], to: 'not_applied', keepLocks: true })
  const [reached, goOn] = [moment(), moment()]
  const reopening = moveCommand(db, keeps, { from: ['not_applied'], to: 'applied', late: true }, async () => {
    reached.now()
    await goOn.comes
  })
  await reached.comes
  const asks = await drafted(target)
  const starting = startCommand(db, asks, [{ key, permanent: true }])
  await untilLockWait()
  goOn.now()
  await reopening
  expect(await starting).toMatchObject({ ok: false, heldBy: { commandId: keeps } })
  expect((await findCommand(db, asks))?.state).toBe('draft')
})

test('a command locked while it moves is read after the move', async () => {
  const id = await sent(randomUUID())
  const [reached, goOn] = [moment(), moment()]
  const challenging = moveCommand(db, id, { from: ['sent'], to: 'challenged' }, async (trx) => {
    reached.now()
    await goOn.comes
    appendNote(trx, id, { ended: 'for a test' })
  })
  await reached.comes
  const locking = inTransaction(db, (trx) => lockCommand(trx, id, []))
  await untilLockWait()
  goOn.now()
  await challenging
  const locked = await locking
  expect([locked?.row.state, locked?.events.length]).toEqual(['challenged', 4])
})

test('the sequence of a locked command follows those before', async () => {
  const id = await sent(randomUUID())
  const [reached, goOn] = [moment(), moment()]
  const noting = inJournal(db, async (trx) => {
    await lockCommand(trx, id, [])
    reached.now()
    await goOn.comes
    appendNote(trx, id, { ended: 'for a test' })
  })
  await reached.comes
  const locking = inTransaction(db, (trx) => lockCommand(trx, id, []))
  await untilLockWait()
  goOn.now()
  await noting
  const events = await findEvents(db, id)
  expect((await locking)?.sequence).toBeGreaterThan(events.at(-1)?.sequence ?? Number.POSITIVE_INFINITY)
})

test('a kind of another bundle writes its events in the transaction that was begun here', async () => {
  const other = await inAnotherBundle<typeof import('./sequencer.ts')>('lib/journal/sequencer.ts')
  expect(other.appendEvent).not.toBe(appendEvent)
  const id = await drafted()
  const event = { commandId: id, at: new Date().toISOString(), state: 'draft', actor: 'sso:1', body: {}, moved: false }
  await inJournal(db, async (trx) => other.appendEvent(trx, event))
  expect(await statesOf(id)).toEqual(['draft', 'draft'])
  await expectWhole()
})

test('an event is written in a transaction of the journal or not at all', async () => {
  const act = { kind: 'access.refused', actor: 'sso:1', actorName: 'O', target: '', params: {}, outcome: '{}' } as const
  await expect(inTransaction(db, (trx) => recordAct(trx, act))).rejects.toThrow('outside a transaction of the journal')
  const failing = inJournal(db, async (trx) => {
    await recordAct(trx, act)
    throw new Error('for a test')
  })
  await expect(failing).rejects.toThrow('for a test')
  expect(await verifyJournal(db, config())).toMatchObject({ events: 0, faults: [] })
})

test('writes half a character of the service as the replacement character', async () => {
  const about = { kind: 'deposit.confirm', actor: 'sso:1', actorName: 'O', target: 'DEP~1', params: '{}' }
  const { id } = await insertDraft(db, { id: randomUUID(), ...about, facts: '{"name":"Ana \\ud83d"}' })
  await sequenceAll()
  expect(await verifyJournal(db, config())).toMatchObject({ events: 1, faults: [] })
  expect((await findCommand(db, id))?.facts).toContain('Ana')
})

test('a check may take longer than a statement of the store', async () => {
  const session = await openForTest(await signInForTest())
  const usual = peekPerProcess('store')
  const hasty = await open<Tables>(config().databaseUrl, { statementMs: 2_000 })
  onTestFinished(async () => {
    putPerProcess('store', usual)
    await hasty.close()
  })
  const [locked, goOn] = [moment(), moment()]
  const holding = inTransaction(db, async (trx) => {
    await sql`LOCK TABLE log_leaf`.execute(trx)
    locked.now()
    await goOn.comes
  })
  await locked.comes
  putPerProcess('store', Promise.resolve(hasty))
  const check = Promise.allSettled([checkJournal(session)])
  await untilLockWait()
  await expect(hasty.db.selectFrom('log_leaf').selectAll().execute()).rejects.toThrow('ETIMEDOUT')
  goOn.now()
  await holding
  expect(await check).toMatchObject([{ status: 'fulfilled', value: { faults: [] } }])
})
