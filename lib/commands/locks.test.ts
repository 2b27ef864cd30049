import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { startCommand } from './execute.ts'
import { freeKeys, holderOf, retakeKeys } from './locks.ts'
import type { CommandState } from './row.ts'
import { insertDraft, moveCommand } from './store.ts'

const BANK = { key: 'bank:ATL-9', permanent: true }

beforeEach(async () => {
  await freshConsole()
})

async function draft(target = 'DEP~1', kind = 'deposit.confirm'): Promise<string> {
  const id = randomUUID()
  await insertDraft(await store(), { id, kind, actor: 'sso:1', actorName: 'one', target, params: '{}', facts: '{}' })
  return id
}

const start = async (id: string) => await startCommand(await store(), id, [BANK])

const end = async (id: string, to: CommandState, keepLocks = false) =>
  await moveCommand(await store(), id, { from: ['sent'], to, keepLocks })

async function notSeen(): Promise<string> {
  const id = await draft()
  await start(id)
  await end(id, 'not_applied', true)
  return id
}

const holder = async () => (await holderOf(await store(), BANK.key))?.commandId ?? null

test('a reading frees nothing that is held for ever', async () => {
  const id = await notSeen()
  expect(await holder()).toBe(id)
})

test('a person’s word frees it', async () => {
  const id = await draft()
  await start(id)
  await end(id, 'not_applied')
  expect(await holder()).toBeNull()
})

test.each<[state: CommandState, holds: 'first' | 'second']>([
  ['refused', 'first'],
  ['not_applied', 'first'],
  ['done', 'second'],
  ['applied', 'second'],
])('the same change of the same target borrows it; %s, it is of the %s', async (state, holds) => {
  const first = await notSeen()
  const second = await draft()
  expect((await start(second)).ok).toBe(true)
  expect(await holder()).toBe(second)
  await end(second, state)
  expect(await holder()).toBe(holds === 'first' ? first : second)
})

test.each([
  ['another target', 'DEP~2', 'deposit.confirm'],
  ['another kind', 'DEP~1', 'card.block'],
])('%s does not get it', async (_what, target, kind) => {
  const first = await notSeen()
  expect(await start(await draft(target, kind))).toMatchObject({ ok: false, heldBy: { commandId: first } })
})

test.each<CommandState>(['sent', 'unknown', 'done', 'applied'])('nobody borrows from one that is %s', async (state) => {
  const first = await draft()
  await start(first)
  if (state !== 'sent') await end(first, state)
  expect(await start(await draft())).toMatchObject({ ok: false, heldBy: { commandId: first } })
})

test('of many who would borrow it at once, one does', async () => {
  await notSeen()
  const started = await Promise.all(
    (await Promise.all(Array.from({ length: 10 }, () => draft()))).map(async (id) => (await start(id)).ok),
  )
  expect(started.filter(Boolean)).toHaveLength(1)
})

test('freed and taken again, unless somebody has it by then', async () => {
  const db = await store()
  const first = await notSeen()
  expect(await db.transaction().execute((trx) => freeKeys(trx, first))).toEqual([BANK.key])
  expect(await db.transaction().execute((trx) => retakeKeys(trx, first, [BANK.key]))).toEqual([])
  await db.transaction().execute((trx) => freeKeys(trx, first))
  const other = await draft('DEP~3')
  await start(other)
  expect(await db.transaction().execute((trx) => retakeKeys(trx, first, [BANK.key]))).toEqual([BANK.key])
  expect(await holder()).toBe(other)
})

test('keeps no key for a command that ended meanwhile', async () => {
  const id = await draft()
  await moveCommand(await store(), id, { from: ['draft'], to: 'closed' })
  expect(await start(id)).toEqual({ ok: false, heldBy: null })
  expect(await holder()).toBeNull()
})
