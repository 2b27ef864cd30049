import { expect, test } from 'vitest'
import { transactionStates } from '#lib/contract/states.ts'
import { whatCanFollow } from './what-can-follow.ts'

const OTHER = 'TYPE_OF_TOMORROW'

test.each<[state: string, type: string, told: RegExp, never: RegExp]>([
  ['QUEUED', OTHER, /deposit continues once an operator confirms/, /final|settled/],
  ['QUEUED', 'P2P', /service processes it automatically/, /confirm|deposit/],
  ['PENDING', OTHER, /moves to Processing automatically/, /confirm/],
  ['PROCESSING', OTHER, /24 hours after confirmation.*not from this console/, /final/],
  ['PROCESSING', 'P2P', /dispute window.*does not say when.*disputed or fail/, /24 hours|deposit/],
  ['DISPUTED', OTHER, /arbitrator.*keeps.*refunded/, /by itself/],
  ['DISPUTED', 'P2P', /arbitrator.*keeps.*refunded/, /by itself/],
  ['BLOCKED', OTHER, /Ask the service’s support/, /by itself/],
  ['PROCESSED', 'P2P', /Settled/, /fail/],
  ['FAIL', 'P2P', /Failed permanently/, /settled/],
  ['ON_THE_MOON', 'P2P', /does not know the state/, /by itself|final/],
])('what follows %s of type %s', (state, type, told, never) => {
  const words = whatCanFollow(state, type)
  expect(words).toMatch(told)
  expect(words).not.toMatch(never)
})

test('every state of the interface has words of its own, in at most two sentences', () => {
  const words = transactionStates.map((state) => whatCanFollow(state, OTHER))
  expect(new Set([...words, whatCanFollow('ON_THE_MOON', OTHER)]).size).toBe(transactionStates.length + 1)
  for (const told of words) expect(told.match(/[.](?:\s|$)/g)?.length).toBeLessThanOrEqual(2)
})
