import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { commandHistory } from '#lib/activity/history.ts'
import { homeChanges, openChanges } from '#lib/activity/open-changes.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { executeCommand, startCommand } from './execute.ts'
import { maintain } from './maintenance.ts'
import { withdrawCommand } from './prepare.ts'
import { readCommand, reconcileCommand, resumeOpenCommands, watchCommand } from './reconcile.ts'
import type { CommandState } from './row.ts'
import { settleByHand } from './settle.ts'
import { findCommand, insertDraft, moveCommand } from './store.ts'
import { parseOutcome } from './view.ts'

const KIND = 'future.kind'
const STATES: readonly CommandState[] = [
  'draft',
  'sent',
  'challenged',
  'done',
  'accepted',
  'refused',
  'unknown',
  'applied',
  'not_applied',
  'closed',
]

let mine: Session

beforeEach(async () => {
  await freshConsole()
  mine = await openForTest(await signInForTest({ actor: `sso:${randomUUID()}` }))
})

/** A command as another version of the console leaves it, with an outcome that this one cannot read. */
async function inState(state: CommandState): Promise<string> {
  const db = await store()
  const id = randomUUID()
  const made = { id, kind: KIND, actor: mine.actor, actorName: 'x', target: 'T', params: '[]', facts: 'null' }
  await insertDraft(db, made)
  if (state === 'draft') return id
  if (state !== 'closed') await startCommand(db, id, [{ key: `future:${id}`, permanent: false }])
  const outcome = JSON.stringify({ class: 'future', words: [] })
  if (state !== 'sent') await moveCommand(db, id, { from: ['draft', 'sent'], to: state, outcome })
  return id
}

const execute = (id: string) => executeCommand(mine, id, { code: '123456', proof: null }, () => {})

describe.each(STATES)('a row of a kind that this version does not know, in state %s,', (state) => {
  test('is shown by its raw kind, with nothing to do, wherever rows are read', async () => {
    const id = await inState(state)
    const history = await commandHistory(mine, id)
    expect(history?.command).toMatchObject({ kind: KIND, title: KIND, readable: false, settledByHand: false })
    expect(['sending', 'done', 'accepted', 'refused', 'unknown']).toContain(history?.command.outcome.class)
    for (const now of [true, false]) expect(await readCommand(mine, id, now)).toMatchObject({ ok: true })
    const isOpen = state === 'unknown' || state === 'accepted'
    expect((await openChanges(mine)).seen.some((seen) => seen.id === id)).toBe(isOpen)
    const sent = state !== 'draft' && state !== 'closed'
    expect((await homeChanges(mine)).lately.changes.some((seen) => seen.id === id)).toBe(sent)
  })

  test('is nobody else’s, and counts among what they may not see', async () => {
    const other = await openForTest(await signInForTest({ actor: `sso:${randomUUID()}` }))
    const before = (await openChanges(other)).unseen
    const id = await inState(state)
    const { seen, unseen } = await openChanges(other)
    expect(seen.some((command) => command.id === id)).toBe(false)
    const isOpen = state === 'unknown' || state === 'accepted'
    expect(unseen.unknown + unseen.accepted - before.unknown - before.accepted).toBe(isOpen ? 1 : 0)
    expect(await commandHistory(other, id)).toBeNull()
  })

  test('is not sent, settled, watched or resumed, and keeps no other from it', async () => {
    const id = await inState(state)
    const row = await findCommand(await store(), id)
    if (row === undefined) throw new Error('the command is gone')
    await resumeOpenCommands(mine)
    watchCommand(mine, row)
    expect(await reconcileCommand(mine, row)).toEqual({ command: row, sessionOver: false, found: null })
    expect(await settleByHand(mine, id, { happened: true, why: 'seen' })).toMatchObject({ ok: true })
    expect(await execute(id)).toMatchObject({ ok: true })
    expect((await findCommand(await store(), id))?.state).toBe(state)
    await maintain()
    expect((await findCommand(await store(), id))?.state).toBe(state === 'sent' ? 'unknown' : state)
  })

  test('can be taken back where nothing has happened yet, and frees its keys', async () => {
    const id = await inState(state)
    await withdrawCommand(mine, id)
    const ended = { draft: 'closed', challenged: 'refused' }[state as string] ?? state
    expect((await findCommand(await store(), id))?.state).toBe(ended)
    const held = await (await store()).selectFrom('command_lock').select('key').where('command_id', '=', id).execute()
    expect(held).toHaveLength(['sent', 'accepted', 'unknown'].includes(ended) ? 1 : 0)
  })
})

test('one that waits for a code too long ends here as well', async () => {
  const id = await inState('challenged')
  const db = await store()
  await db.updateTable('command').set({ sent_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
  await maintain()
  expect((await findCommand(db, id))?.state).toBe('refused')
})

test('shows no state that another version expected of an accepted change', () => {
  const lines = [{ label: 'State', value: 'DISABLED', as: 'terminal-state' }]
  expect(parseOutcome(JSON.stringify({ class: 'accepted', lines, steps: [] }))).toMatchObject({
    class: 'accepted',
    shows: 'The service accepted it. It is not confirmed yet.',
    lines: [],
  })
})
