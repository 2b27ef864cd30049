import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { commandNamed } from '#lib/commands/kind.ts'
import { laterDuplicates } from '#lib/commands/reconcile.ts'
import { findCommand, insertDraft } from '#lib/commands/store.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { serviceTest as test } from '#lib/testing/test-worlds.ts'
import { listTerminals } from './terminal-service.ts'

test('a disabled terminal ends an earlier attempt in capitals', async ({ operator }) => {
  const listed = await listTerminals(operator, 'merchant-001')
  const terminals = listed.ok ? listed.value.flatMap((row) => (row.readable ? [row.value] : [])) : []
  const active = terminals.find(({ status, id }) => status === 'ACTIVE' && id !== id.toUpperCase())
  if (active === undefined) throw new Error('merchant-001 has no active terminal')
  const [db, id, target] = [await store(), randomUUID(), active.id.toUpperCase()]
  const [params, facts] = [JSON.stringify({ terminalId: target, reason: 'Lost' }), JSON.stringify(active)]
  await insertDraft(db, { id, kind: 'terminal.disable', actor: 'sso:9', actorName: 'nine', target, params, facts })
  const at = new Date(Date.now() - 600_000).toISOString()
  await db
    .updateTable('command')
    .set({ state: 'not_applied', sent_at: at, settled_at: at })
    .where('id', '=', id)
    .execute()
  const { command } = await runCommand(
    operator,
    'terminal.disable',
    { terminalId: active.id, reason: 'Lost' },
    active.label,
  )
  expect(command.outcome.class).toBe('done')
  const earlier = await findCommand(db, id)
  if (earlier === undefined) throw new Error('the command is gone')
  expect(earlier.handled_at).not.toBeNull()
  expect((await laterDuplicates(earlier)).map((later) => later.id)).toEqual([command.id])
})

test.for([
  ['card.block', 'cardId'],
  ['card.register', 'cardId'],
  ['card.issue', 'userId'],
  ['terminal.disable', 'terminalId'],
] as const)('%s is stored under its id in small letters', ([kind, field], { operator }) => {
  const [written, id] = ['3F2b8c1e-5D04-4b7a-9E61-0c8d2f7a4e15', '3f2b8c1e-5d04-4b7a-9e61-0c8d2f7a4e15']
  expect(commandNamed(kind)?.target({ [field]: written }, operator)).toBe(id)
})
