import { expect, test } from 'vitest'
import { type Sides, type Turn, threadStateOf, turnOf, turnWords, type Writer } from './thread-state.ts'

const ANA = '00000000-0000-4000-8000-0000000000aa'
const BEN = '00000000-0000-4000-8000-0000000000bb'
const ME = '00000000-0000-4000-8000-0000000000cc'
const STAFF = '00000000-0000-4000-8000-0000000000dd'

/** Ana raised the case. */
const sides: Sides = { raisedBy: ANA, against: BEN, payer: null }

test.each<[string, readonly string[], Turn, Turn]>([
  ['nobody has written', [], 'us', 'us'],
  ['a party wrote last', [STAFF, ANA], 'us', 'us'],
  ['the other party wrote last', [ANA, STAFF, BEN], 'us', 'us'],
  ['we answered who raised it', [ANA, STAFF], 'raised-by', 'sender'],
  ['we answered the other side', [ANA, BEN, ME], 'against', 'recipient'],
  ['we wrote twice after a party', [ANA, STAFF, ME], 'raised-by', 'sender'],
  ['we wrote first', [ME], 'against', 'recipient'],
])('whose turn it is when %s', (_when, authors, turn, paid) => {
  expect(turnOf(authors, sides)).toBe(turn)
  expect(turnOf(authors, { ...sides, payer: ANA.toUpperCase() })).toBe(paid)
})

test('a payer who is no party of the case names nobody sender', () => {
  expect(turnOf([ANA, ME], { ...sides, payer: STAFF })).toBe('raised-by')
})

test('each turn is told in words', () => {
  const turns: readonly Turn[] = ['us', 'sender', 'recipient', 'raised-by', 'against']
  expect(turns.map(turnWords)).toEqual([
    'Waiting for us',
    'Waiting for the sender',
    'Waiting for the recipient',
    'Waiting for the raising party',
    'Waiting for the other side',
  ])
})

const writer = (userId: string, second: number, unread: number): Writer => ({
  userId,
  lastKey: `2026-07-01T10:00:0${second}.0000000 id`,
  unread,
})
const options = { me: ME.toUpperCase(), resolved: false }

test('what others wrote counts as unread, and never what the person wrote', () => {
  const state = threadStateOf([writer(ME, 4, 2), writer(ANA, 3, 2), writer(STAFF, 1, 1)], sides, options)
  expect(state).toEqual({
    turn: 'raised-by',
    unread: 3,
    newest: '2026-07-01T10:00:03.0000000 id',
    lastAt: '2026-07-01T10:00:04.0000000Z',
    lastBy: 'you',
  })
})

test('the last message is told with its author, in whatever order the authors come', () => {
  const state = threadStateOf([writer(STAFF, 2, 0), writer(BEN, 5, 0), writer(ANA, 3, 0)], sides, options)
  expect(state).toMatchObject({ turn: 'us', unread: 0, newest: null, lastBy: 'against' })
  expect(threadStateOf([writer(STAFF, 2, 0)], sides, options).lastBy).toBe('staff')
})

test('where nobody has written there is no last message, and it is our turn', () => {
  expect(threadStateOf([], sides, options)).toEqual({ turn: 'us', unread: 0, newest: null, lastAt: null, lastBy: null })
})

test('a resolved case is nobody’s turn and has nothing unread', () => {
  expect(threadStateOf([writer(ANA, 1, 1)], sides, { ...options, resolved: true })).toMatchObject({
    turn: null,
    unread: 0,
    newest: null,
  })
})
