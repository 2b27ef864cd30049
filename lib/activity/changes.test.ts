import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LATE_MAX, OPEN_MAX } from '#lib/commands/command-lists.ts'
import type { CommandState } from '#lib/commands/command-table.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { changesPage } from './changes.ts'
import { countSentLately, openChanges, sentLately } from './open-changes.ts'

let service: ScriptedService
let operator: Session
let clerk: Session

const person = async (userId: string, ...scopes: readonly string[]): Promise<Session> => {
  service.on(`GET /api/v1/Users/${userId}/scopes`, ok({ roles: [], scopes }))
  return await openForTest(
    await signInForTest({ actor: `sso:${userId}`, userId, displayName: `${userId}@example.com` }),
  )
}

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  putPerProcess('scopes', undefined)
  operator = await person('1', 'transactions:confirm')
  clerk = await person('2', 'transactions:read')
})
afterAll(() => service.stop())

/** Confirmations of deposits that somebody sent, the first one first, as the journal has them. */
async function sent(count: number, state: CommandState, change: { actor?: string; late_at?: string } = {}) {
  const rows = Array.from({ length: count }, (_, at) => {
    const time = new Date(Date.now() - (count - at) * 1000).toISOString()
    return {
      ...{ id: randomUUID(), kind: 'deposit.confirm', state, actor: 'sso:1', actor_name: '1@example.com' },
      ...{ params: '{"referenceId":"D","bankReference":"B"}', facts: '{"debit":"1.00000000"}', outcome: null },
      ...{ target: `D${at}`, created_at: time, sent_at: time, settled_at: null, boot_id: 'x', ...change },
    }
  })
  await (await store()).insertInto('command').values(rows).execute()
  return rows.map(({ id }) => id)
}

describe('a list of changes is told page by page, with how many there are', () => {
  test('one’s own, newest first', async () => {
    const own = await sent(5, 'done')
    await sent(1, 'done', { actor: 'sso:2' })
    const { commands, total } = await changesPage(operator, 'mine', { page: 2, size: 2 })
    expect([commands.map(({ id }) => id), total]).toEqual([[own[2], own[1]], 5])
  })

  test('open ones of everybody, oldest first, for who may see them; else one’s own', async () => {
    const theirs = await sent(2, 'unknown')
    const [own] = await sent(1, 'accepted', { actor: 'sso:2' })
    await sent(1, 'done')
    const of = async (session: Session) => await changesPage(session, 'open', { page: 1, size: 20 })
    expect((await of(operator)).commands.map(({ id }) => id).sort()).toEqual([...theirs, own].sort())
    expect((await of(clerk)).commands.map(({ id }) => id)).toEqual([own])
    expect((await of(clerk)).total).toBe(1)
  })

  test('those that showed late', async () => {
    const [late] = await sent(1, 'applied', { late_at: new Date().toISOString() })
    await sent(1, 'applied', { late_at: '2026-01-01T00:00:00.000Z' })
    const { commands, total } = await changesPage(operator, 'late', { page: 1, size: 20 })
    expect([commands.map(({ id }) => id), total]).toEqual([[late], 1])
  })
})

describe('Home tells how many more there are than it lists', () => {
  test('of what one did today', async () => {
    await sent(103, 'done')
    expect([(await sentLately(operator)).length, await countSentLately(operator)]).toEqual([100, 103])
  })

  test('of open changes, by how they stand', async () => {
    await sent(OPEN_MAX, 'unknown')
    expect((await openChanges(operator)).more).toEqual({ unknown: 0, accepted: 0, late: false })
    await sent(3, 'accepted')
    const { seen, unseen, more } = await openChanges(operator)
    expect(seen.length + unseen.unknown + unseen.accepted).toBe(OPEN_MAX)
    expect(seen.length + more.unknown + more.accepted).toBe(OPEN_MAX + 3)
  })

  test('of those that showed late only that there are', async () => {
    await sent(LATE_MAX, 'applied', { late_at: new Date().toISOString() })
    expect((await openChanges(operator)).more.late).toBe(false)
    await sent(1, 'applied', { late_at: new Date().toISOString() })
    const { late, more } = await openChanges(operator)
    expect([late.length, more.late]).toEqual([LATE_MAX, true])
  })
})
