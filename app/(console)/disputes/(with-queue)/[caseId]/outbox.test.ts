import { expect, test } from 'vitest'
import type { CommandView } from '#lib/commands/command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { type MessageReply, stateAfter } from './outbox.ts'

const refusal = (...args: Parameters<typeof problemOf>): MessageReply => ({
  ok: false,
  fields: {},
  problem: problemOf(...args),
})
const command = { id: 'c' } as CommandView

test.each<[string, MessageReply, first: string, again: string]>([
  ['no answer', null, 'silent', 'silent'],
  ['what came of it', { ok: true, command }, 'outcome', 'outcome'],
  ['that nobody is signed in', refusal('session-over', { status: 401 }), 'returned', 'silent'],
  ['that the console has no store', refusal('console', { status: 503, title: 'No store' }), 'not-sent', 'silent'],
  ['that these are too many', refusal('service', { status: 429 }), 'not-sent', 'silent'],
  ['that the scope is missing', refusal('service', { status: 403 }), 'not-sent', 'not-sent'],
  ['that somebody else is signed in', refusal('service', { status: 409 }), 'not-sent', 'silent'],
])(
  '%s: told of the first request, and of one that follows a request without an answer',
  (_what, reply, first, again) => {
    expect([stateAfter(reply, false).step, stateAfter(reply, true).step]).toEqual([first, again])
  },
)

test('a fault in the text is told in its own words', () => {
  const reply: MessageReply = { ok: false, fields: { body: 'It is too long.' }, problem: null }
  expect(stateAfter(reply, false)).toEqual({ step: 'not-sent', why: 'It is too long.', problem: null })
})

test('a refusal says how long to wait', () => {
  const reply = refusal('service', { status: 429, retryAfterSeconds: 42 })
  expect(stateAfter(reply, false)).toMatchObject({ step: 'not-sent', problem: { retryAfterSeconds: 42 } })
})
