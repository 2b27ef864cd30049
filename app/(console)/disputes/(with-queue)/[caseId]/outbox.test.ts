import { expect, test } from 'vitest'
import type { CommandView } from '#lib/commands/command.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { MESSAGE_LINE, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { type MessageReply, type Outgoing, stateAfter, stillOutgoing } from './outbox.ts'

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

const own = (id: string, body = 'Hello') => ({ id, senderUserId: 'me', body }) as ThreadMessage
const sending = (id: string, earlier = 0, body = 'Hello'): Outgoing => ({
  ...{ id, body, earlier, answeredAtMs: 0 },
  state: { step: 'sending' },
})
const done = (id: string, messageId: string): Outgoing => {
  const outcome = {
    class: 'done',
    title: '',
    steps: [],
    lines: [{ label: MESSAGE_LINE, value: messageId, as: 'mono' }],
  }
  return { ...sending(id), state: { step: 'outcome', command: { id, outcome } as unknown as CommandView } }
}
const ids = (entries: readonly Outgoing[], messages: readonly ThreadMessage[], me: string | null = 'me') =>
  stillOutgoing(entries, messages, me).map(({ id }) => id)

test('a message in the thread is no longer outgoing', () => {
  expect(ids([sending('a')], [])).toEqual(['a'])
  expect(ids([sending('a')], [own('1')])).toEqual([])
  expect(ids([done('a', 'ID')], [own('id')])).toEqual([])
  expect(ids([done('a', 'ID')], [])).toEqual(['a'])
})

test('an unanswered message in the thread is no longer outgoing', () => {
  // Leaving the page ends its request; the text must not be saved again.
  const silent: Outgoing = { ...sending('a'), state: { step: 'silent', problem: problemOf('console-unreachable') } }
  expect([ids([silent], []), ids([silent], [own('1')])]).toEqual([['a'], []])
})

test('each of two same messages is outgoing until it is there', () => {
  expect(ids([sending('a'), sending('b')], [own('1')])).toEqual(['b'])
  expect(ids([sending('a'), sending('b')], [own('1'), own('2')])).toEqual([])
  expect(ids([done('a', '1'), sending('b')], [own('1')])).toEqual(['b'])
  expect(ids([sending('a', 1)], [own('0')])).toEqual(['a'])
})

test('messages of others, other texts and refusals take nothing away', () => {
  expect(ids([sending('a')], [{ ...own('1'), senderUserId: 'ana' }])).toEqual(['a'])
  expect(ids([sending('a')], [own('1', 'Bye')])).toEqual(['a'])
  expect(ids([sending('a')], [own('1')], null)).toEqual(['a'])
  const refused: Outgoing = { ...sending('a'), state: { step: 'not-sent', why: '', problem: null } }
  expect(ids([refused], [own('1')])).toEqual(['a'])
})
