import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeMessages, type ThreadMessage, withoutMessages } from './thread.ts'

const message = (id: string, createdAt: string, body = ''): ThreadMessage => ({
  id,
  senderUserId: null,
  isSystemMessage: false,
  body,
  createdAt,
})

const bodies = (messages: readonly ThreadMessage[]) => messages.map(({ body }) => body)

describe('the order of a thread', () => {
  test('is told apart by the seventh digit of the time', () => {
    const later = message('a', '2026-07-01T10:00:00.1234568Z', 'later')
    const earlier = message('b', '2026-07-01T10:00:00.1234567Z', 'earlier')
    expect(bodies(mergeMessages([later], [earlier]))).toEqual(['earlier', 'later'])
  })

  test('is by id where times are equal', () => {
    const second = message('b', '2026-07-01T10:00:00.0000000Z', 'second')
    const first = message('a', '2026-07-01T10:00:00.0000000Z', 'first')
    expect(bodies(mergeMessages([second], [first]))).toEqual(['first', 'second'])
  })

  test('does not depend on zeros left off at the end', () => {
    const messages = [
      message('d', '2026-07-01T10:00:01Z', '4'),
      message('c', '2026-07-01T10:00:00.12Z', '2'),
      message('b', '2026-07-01T10:00:00.1200001Z', '3'),
      message('a', '2026-07-01T10:00:00Z', '1'),
    ]
    expect(bodies(mergeMessages([], messages))).toEqual(['1', '2', '3', '4'])
  })
})

test('what arrives takes the place of what has its id, however that is written', () => {
  const known = message('AB', '2026-07-01T10:00:00.0000000Z', 'before')
  expect(bodies(mergeMessages([known], [message('ab', known.createdAt, 'after')]))).toEqual(['after'])
})

test('parts of a thread give the whole thread, in whatever order, overlap and number they come', () => {
  const time = fc.integer({ min: 0, max: 20 }).map((ticks) => `2026-07-01T10:00:00.${String(ticks).padStart(7, '0')}Z`)
  const whole = fc.uniqueArray(fc.tuple(fc.uuid(), time), { selector: ([id]) => id, maxLength: 30 })
  const parts = whole.chain((rows) => {
    const messages = rows.map(([id, at]) => message(id, at))
    const order = fc.shuffledSubarray(messages, { minLength: messages.length })
    return fc.tuple(fc.constant(messages), order, fc.array(fc.shuffledSubarray(messages), { maxLength: 4 }))
  })
  fc.assert(
    fc.property(parts, ([messages, once, more]) => {
      const inOrder = messages.toSorted((one, other) => (one.createdAt + one.id < other.createdAt + other.id ? -1 : 1))
      const half = once.length / 2
      const merged = [once.slice(0, half), ...more, once.slice(half)].reduce(mergeMessages, [])
      expect(merged).toEqual(inOrder)
      expect(once.map((message) => [message]).reduce(mergeMessages, [])).toEqual(inOrder)
    }),
    { numRuns: 10_000 },
  )
})

test.each([
  ['is saved alone', 'Yes', ['Yes'], ''],
  ['stands before typed text', 'Yes\n\nWhy?', ['Yes'], 'Why?'],
  ['stands between others', 'First\n\nYes\n\nWhy?', ['Yes'], 'First\n\nWhy?'],
  ['is part of a word', 'Yesterday\n\nYes', ['Yes'], 'Yesterday'],
  ['has paragraphs', 'One\n\nTwo\n\nWhy?', ['One\n\nTwo'], 'Why?'],
  ['was written twice', 'Yes\n\nYes\n\nWhy?', ['Yes', 'Yes'], 'Why?'],
  ['is not saved', 'Why?', ['Yes'], 'Why?'],
])('an open message that %s leaves the saved text', (_where, saved, open, left) => {
  const bodies = open.map((body) => ({ body }))
  expect(withoutMessages(saved, bodies)).toBe(left)
})
