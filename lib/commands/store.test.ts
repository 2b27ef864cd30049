import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { isGenuine } from '#lib/journal/event.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { startCommand } from './execute.ts'
import { holderOf } from './locks.ts'
import { isAltered } from './policy/gate.ts'
import { findEffective, readUnderWay } from './queries.ts'
import { findCommand, insertDraft, moveCommand } from './store.ts'

beforeEach(async () => {
  await freshConsole()
})

async function draft(actor = 'sso:1'): Promise<string> {
  const id = randomUUID()
  const given = { kind: 'deposit.confirm', actor, actorName: actor, target: 'DEP~1', params: '{}', facts: '{}' }
  await insertDraft(await store(), { id, ...given })
  return id
}

test('takes a clock set back during the read for no alteration', async () => {
  const [db, id, actor] = [await store(), randomUUID(), 'sso:1']
  const readAt = new Date(Date.now() + 60_000).toISOString()
  const given = { kind: 'deposit.confirm', actor, actorName: actor, target: 'DEP~1', params: '{}', facts: '{}' }
  const drafted = await insertDraft(db, { id, ...given, readAt })
  expect(await isAltered(db, drafted)).toBe(false)
})

test('dates a draft by the read of its facts', async () => {
  const [id, actor, readAt] = [randomUUID(), 'sso:1', new Date(Date.now() - 60_000).toISOString()]
  const given = { kind: 'deposit.confirm', actor, actorName: actor, target: 'DEP~1', params: '{}', facts: '{}' }
  const drafted = await insertDraft(await store(), { id, ...given, readAt })
  expect(drafted.created_at).toBe(readAt)
})

test('dates a change that waits for approval by its draft', async () => {
  const [db, id] = [await store(), await draft()]
  await db.updateTable('command').set({ state: 'awaiting_approval' }).where('id', '=', id).execute()
  const oldestAt = (await findCommand(db, id))?.created_at
  expect(await readUnderWay(db)).toContainEqual({ state: 'awaiting_approval', count: 1, oldestAt })
})

/** What the guard of such a table raises: restrict_violation. */
const APPEND_ONLY = '23001'

const DEPOSIT = { key: 'deposit:DEP~1', permanent: false }
const BANK = { key: 'bank:ATL-1', permanent: true }

describe('sending', () => {
  test('of fifty who send one draft at once, one does', async () => {
    const db = await store()
    const id = await draft()
    const started = await Promise.all(Array.from({ length: 50 }, () => startCommand(db, id, [])))
    expect(started.filter(({ ok }) => ok)).toHaveLength(1)
    expect((await findCommand(db, id))?.state).toBe('sent')
  })

  test('of two drafts with one key, one is sent and the other learns who has it', async () => {
    const db = await store()
    const [mine, theirs] = [await draft('sso:1'), await draft('sso:2')]
    expect((await startCommand(db, mine, [DEPOSIT, BANK])).ok).toBe(true)
    expect(await startCommand(db, theirs, [DEPOSIT])).toMatchObject({
      ok: false,
      heldBy: { key: DEPOSIT.key, actorName: 'sso:1', commandId: mine, state: 'sent' },
    })
    expect((await findCommand(db, theirs))?.state).toBe('draft')
  })

  test('a lock that cannot be taken leaves none behind', async () => {
    const db = await store()
    const [mine, theirs] = [await draft(), await draft()]
    await startCommand(db, mine, [DEPOSIT])
    await startCommand(db, theirs, [BANK, DEPOSIT])
    expect(await holderOf(db, BANK.key)).toBeNull()
  })

  test('a lock that is freed in the moment in which it is wanted is had, or somebody is named', async () => {
    const db = await store()
    const ids = await Promise.all(Array.from({ length: 60 }, () => draft()))
    const started = await Promise.all(
      ids.map(async (id) => {
        const start = await startCommand(db, id, [DEPOSIT])
        if (start.ok) await moveCommand(db, id, { from: ['sent'], to: 'done' })
        return start
      }),
    )
    expect(started).not.toContainEqual({ ok: false, heldBy: null })
  })

  test('tells no command that it holds its own locks', async () => {
    const db = await store()
    const id = await draft()
    const started = await Promise.all(Array.from({ length: 10 }, () => startCommand(db, id, [DEPOSIT, BANK])))
    expect(started.filter(({ ok }) => ok)).toHaveLength(1)
    expect(started.filter(({ ok }) => !ok)).toEqual(Array(9).fill({ ok: false, heldBy: null }))
  })

  test('many drafts over crossing keys never wait for each other for ever', async () => {
    const db = await store()
    const ids = await Promise.all(Array.from({ length: 20 }, () => draft()))
    const started = await Promise.all(
      ids.map((id, n) => startCommand(db, id, n % 2 === 0 ? [DEPOSIT, BANK] : [BANK, DEPOSIT])),
    )
    expect(started.filter(({ ok }) => ok)).toHaveLength(1)
  })
})

describe('settling', () => {
  test.each([
    ['done', [BANK.key]],
    ['applied', [BANK.key]],
    ['refused', []],
    ['not_applied', []],
    ['unknown', [BANK.key, DEPOSIT.key]],
    ['accepted', [BANK.key, DEPOSIT.key]],
  ] as const)('%s keeps %j', async (state, kept) => {
    const db = await store()
    const id = await draft()
    await startCommand(db, id, [DEPOSIT, BANK])
    await moveCommand(db, id, { from: ['sent'], to: state })
    const locks = await db.selectFrom('command_lock').select('key').orderBy('key').execute()
    expect(locks.map(({ key }) => key)).toEqual([...kept])
  })

  test('a move from a state that the command is not in does nothing', async () => {
    const db = await store()
    const id = await draft()
    const before = await events()
    expect(await moveCommand(db, id, { from: ['sent'], to: 'done' })).toBeNull()
    expect(await events()).toHaveLength(before.length)
  })
})

const events = async () => (await store()).selectFrom('command_event').selectAll().orderBy('sequence').execute()

describe('the record', () => {
  test('has one genuine event per change, in order', async () => {
    const db = await store()
    const id = await draft()
    await startCommand(db, id, [])
    await moveCommand(db, id, { from: ['sent'], to: 'done', note: { status: 200 } })
    const all = await events()
    expect(all.filter((event) => event.command_id === id).map(({ state }) => state)).toEqual(['draft', 'sent', 'done'])
    expect(all.map(isGenuine)).toEqual(all.map(() => true))
  })

  test.each(['UPDATE command_event SET at = at', 'DELETE FROM command_event', 'TRUNCATE command_event'])(
    'the database refuses %s',
    async (statement) => {
      await draft()
      await expect(sql.raw(statement).execute(await store())).rejects.toMatchObject({ code: APPEND_ONLY })
    },
  )

  test('a change whose event cannot be written is not made', async () => {
    const db = await store()
    const id = await draft()
    await sql`ALTER TABLE command_event ADD CONSTRAINT full_disk CHECK (state <> 'sent') NOT VALID`.execute(db)
    try {
      await expect(startCommand(db, id, [DEPOSIT])).rejects.toThrow()
      expect((await findCommand(db, id))?.state).toBe('draft')
      expect(await holderOf(db, DEPOSIT.key)).toBeNull()
    } finally {
      await sql`ALTER TABLE command_event DROP CONSTRAINT full_disk`.execute(db)
    }
  })
})

test('finds the exact target before a newer one in another letter case', async () => {
  const db = await store()
  for (const target of ['DEP~1', 'dep~1']) {
    const id = randomUUID()
    const about = { kind: 'deposit.confirm', actor: 'sso:1', actorName: 'sso:1', params: '{}', facts: '{}' }
    await insertDraft(db, { id, target, ...about })
    await moveCommand(db, id, { from: ['draft'], to: 'done' })
  }
  expect(await findEffective(db, 'deposit.confirm', 'DEP~1')).toMatchObject({ target: 'DEP~1' })
})
