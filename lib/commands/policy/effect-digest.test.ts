import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { startCommand } from '#lib/commands/execute.ts'
import { findCommand, insertDraft, moveCommand } from '#lib/commands/store.ts'
import { findEvents } from '#lib/journal/event.ts'
import { store } from '#lib/store/store.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { effectDigest } from './limits.ts'

const effect = {
  id: '00000000-0000-4000-8000-000000000001',
  kind: 'deposit.confirm',
  actor: 'sso:1',
  params: '{"referenceId":"DEP~1","bankReference":"ATL-1"}',
  facts: '{"state":"QUEUED","debit":"250.00000000"}',
  policy: 'f00d',
  confirm_text: null,
}

beforeEach(async () => {
  await freshConsole()
})

test('the digest is that of the canonical JSON: the order of fields makes no difference, every value does', () => {
  const digest = effectDigest(effect)
  // Made with another tool: printf of the canonical text, into sha256sum.
  expect(digest).toBe('0691c989c9b509b4d6810edd5675ef7882cf5d10f7ed1adc7f3708e08ebc976d')
  expect(effectDigest({ ...effect, params: '{"bankReference":"ATL-1","referenceId":"DEP~1"}' })).toBe(digest)
  for (const change of [
    { id: '00000000-0000-4000-8000-000000000002' },
    { kind: 'card.issue' },
    { actor: 'sso:2' },
    { params: '{"referenceId":"DEP~1","bankReference":"ATL-2"}' },
    { facts: '{"state":"QUEUED","debit":"250.00000001"}' },
    { policy: null },
    { confirm_text: '{"title":"Confirm deposit"}' },
  ])
    expect(effectDigest({ ...effect, ...change })).not.toBe(digest)
})

test('half a character in what the service tells is no obstacle', () => {
  expect(effectDigest({ ...effect, facts: '{"name":"\\ud83d"}' })).toMatch(/^[0-9a-f]{64}$/)
})

test('every event has it, and it can be made anew from the first one', async () => {
  underPolicy({ kind: 'deposit.confirm', limit: { count: 5 } })
  const db = await store()
  const id = randomUUID()
  const { kind, actor, params, facts } = effect
  await insertDraft(db, { id, kind, actor, actorName: 'Mia', target: 'DEP~1', params, facts })
  await startCommand(db, id, [])
  await moveCommand(db, id, { from: ['sent'], to: 'done' })
  const events = (await findEvents(db, id)).map(({ body }) => JSON.parse(body))
  const { effect: digest, policy } = events[0]
  expect(digest).toBe((await findCommand(db, id))?.effect)
  expect(events.map((body) => [body.effect, body.policy])).toEqual(Array(3).fill([digest, policy]))
  const [first] = await findEvents(db, id)
  const told = JSON.parse(first?.body ?? '')
  const again = { params: JSON.stringify(told.params), facts: JSON.stringify(told.facts), confirm_text: null }
  expect(effectDigest({ id, kind: told.kind, actor, policy: told.policy, ...again })).toBe(digest)
})

test('holds the text that was shown, in any order of its fields', async () => {
  const db = await store()
  const { kind, actor, params, facts } = effect
  const confirmText = '{"title":"Confirm deposit","lines":[]}'
  const id = randomUUID()
  await insertDraft(db, { id, kind, actor, actorName: 'Mia', target: 'DEP~1', params, facts, confirmText })
  const row = await findCommand(db, id)
  const [draft] = await findEvents(db, id)
  expect(JSON.parse(draft?.body ?? '')).toMatchObject({ effect: row?.effect, confirmText: JSON.parse(confirmText) })
  const digestWith = (confirm_text: string | null) =>
    effectDigest({ id, kind, actor, params, facts, policy: row?.policy ?? null, confirm_text })
  expect(digestWith('{"lines":[],"title":"Confirm deposit"}')).toBe(row?.effect)
  expect(digestWith('{"lines":[],"title":"Confirm another"}')).not.toBe(row?.effect)
})
