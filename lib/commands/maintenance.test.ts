import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { bootId } from '#lib/config/per-process.ts'
import { dropDeadProcesses, writeHeartbeat } from '#lib/store/ready.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { startCommand } from './execute.ts'
import { maintain } from './maintenance.ts'
import { findOpen } from './queries.ts'
import { whileSending } from './running-sends.ts'
import { findCommand, insertDraft } from './store.ts'

const LONG_AGO = new Date(Date.now() - 200_000).toISOString()

beforeEach(async () => {
  await freshConsole()
})

async function sent(change: { readonly boot_id?: string; readonly sent_at?: string } = {}): Promise<string> {
  const db = await store()
  const id = randomUUID()
  const made = { id, kind: 'deposit.confirm', actor: 'sso:1', actorName: 'x', target: id, params: '{}', facts: '{}' }
  await insertDraft(db, made)
  await startCommand(db, id, [])
  if (Object.keys(change).length > 0) await db.updateTable('command').set(change).where('id', '=', id).execute()
  return id
}

const stateOf = async (id: string) => (await findCommand(await store(), id))?.state

test('what this process holds as being sent is left alone, and what it does not hold becomes unknown', async () => {
  const [held, dropped] = [await sent(), await sent()]
  await whileSending(held, async () => {
    await maintain()
    expect(await stateOf(held)).toBe('sent')
    expect(await stateOf(dropped)).toBe('unknown')
  })
  expect((await findOpen(await store())).map(({ id }) => id)).toContain(dropped)
  await maintain()
  expect(await stateOf(held)).toBe('unknown')
})

test('a send that is held twice is held until both are over', async () => {
  const id = await sent()
  await whileSending(id, async () => {
    await whileSending(id, async () => {})
    await maintain()
    expect(await stateOf(id)).toBe('sent')
  })
})

test('nothing is sent for longer than sending can take, whoever holds it', async () => {
  const other = randomUUID()
  const [ours, theirs] = [await sent({ sent_at: LONG_AGO }), await sent({ sent_at: LONG_AGO, boot_id: other })]
  await writeHeartbeat(await store(), other)
  await whileSending(ours, maintain)
  expect([await stateOf(ours), await stateOf(theirs)]).toEqual(['unknown', 'unknown'])
})

test('a process that has been dead for an hour is forgotten, and one that lives is not', async () => {
  const db = await store()
  const dead = randomUUID()
  await writeHeartbeat(db, bootId())
  await writeHeartbeat(db, dead)
  await db
    .updateTable('console_process')
    .set(({ eb }) => ({ beat_at: eb('beat_at', '-', 3_601) }))
    .where('boot_id', '=', dead)
    .execute()
  await dropDeadProcesses(db)
  const left = await db.selectFrom('console_process').select('boot_id').execute()
  expect(left.map(({ boot_id }) => boot_id)).toContain(bootId())
  expect(left.map(({ boot_id }) => boot_id)).not.toContain(dead)
})
