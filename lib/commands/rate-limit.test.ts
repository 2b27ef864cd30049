import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { openSession } from '#lib/session/vault/vault.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { signInForTest } from '#lib/testing/test-sessions.ts'
import { insertDraft } from './command-table.ts'
import { CHANGES_MAX, tooManyChanges } from './draft.ts'

beforeEach(async () => {
  await freshConsole()
})

async function make(count: number, actor: string, batch?: string): Promise<void> {
  const given = { kind: 'deposit.confirm', actor, actorName: actor, target: 'DEP~1', params: '{}', facts: '{}' }
  for (let n = 0; n < count; n += 1) {
    await insertDraft(await store(), { id: randomUUID(), ...given, ...(batch === undefined ? {} : { batch }) })
  }
}

test('sixty changes in ten minutes are taken, the next is asked to pause; others and batches do not count', async () => {
  const actor = `sso:${randomUUID()}`
  const session = await openSession(await signInForTest({ actor }))
  if (session === null) throw new Error('a new session does not open')
  await make(CHANGES_MAX - 1, actor)
  await make(5, `sso:${randomUUID()}`)
  await make(5, actor, 'a statement')
  expect(await tooManyChanges(session)).toBeNull()
  await make(1, actor)
  expect(await tooManyChanges(session)).toBeGreaterThan(0)
})
