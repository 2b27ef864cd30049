import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CommandKindName } from '#lib/kind-names.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { findLatestShown, findUndecided } from './queries.ts'
import type { CommandRow, CommandState } from './row.ts'

const [ACTOR, TARGET] = ['sso:1', 'T1']
const at = (minute: number): string => `2026-07-01T10:${String(minute).padStart(2, '0')}:00.000Z`

beforeEach(async () => {
  await freshConsole()
})

async function attempt(kind: CommandKindName, state: CommandState, change: Partial<CommandRow>): Promise<string> {
  const id = randomUUID()
  const row = {
    id,
    kind,
    state,
    actor: ACTOR,
    actor_name: 'x',
    params: '{}',
    facts: '{}',
    target: TARGET,
    boot_id: 'x',
  }
  await (await store())
    .insertInto('command')
    .values({ ...row, created_at: at(0), outcome: null, settled_at: null, sent_at: null, ...change })
    .execute()
  return id
}

const shown = async (kind: CommandKindName) =>
  (await findLatestShown(await store(), { kind, target: TARGET, actor: ACTOR }))?.id

describe('the change that an object shows', () => {
  test.each<CommandKindName>([
    'deposit.confirm',
    'card.block',
    'terminal.disable',
    'dispute.resolve',
    'transaction.resolve',
  ])('is the %s that took effect, whatever was refused', async (kind) => {
    await attempt(kind, 'refused', { created_at: at(1), sent_at: at(2) })
    const effective = await attempt(kind, 'done', { created_at: at(3), sent_at: at(4) })
    await attempt(kind, 'refused', { created_at: at(5), sent_at: at(6) })
    await attempt(kind, 'awaiting_approval', { created_at: at(7) })
    expect(await shown(kind)).toBe(effective)
  })

  test('is the one sent last, not the one drafted last', async () => {
    const sentLast = await attempt('dispute.resolve', 'unknown', { created_at: at(1), sent_at: at(9) })
    await attempt('dispute.resolve', 'refused', { created_at: at(2), sent_at: at(3) })
    expect(await shown('dispute.resolve')).toBe(sentLast)
    expect((await findUndecided(await store(), 'dispute.resolve', TARGET))?.id).toBe(sentLast)
  })

  test('is the latest registration, also after earlier ones succeeded', async () => {
    await attempt('terminal.register', 'done', { created_at: at(1), sent_at: at(1) })
    const latest = await attempt('terminal.register', 'refused', { created_at: at(2), sent_at: at(2) })
    expect(await shown('terminal.register')).toBe(latest)
  })
})
