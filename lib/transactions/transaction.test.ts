import { expect, test } from 'vitest'
import { transactionStates } from '#lib/contract/states.ts'
import { whatCanFollow } from './transaction.ts'

const OTHER = 'TYPE_OF_TOMORROW'

test.each<[state: string, type: string, told: RegExp, never: RegExp]>([
  ['QUEUED', OTHER, /If it is a deposit.*confirmation.*Pending/, /final|settled/],
  ['QUEUED', 'P2P', /No operation of this console moves it/, /confirm|deposit/],
  ['PENDING', OTHER, /goes on to Processing by itself/, /confirm/],
  ['PROCESSING', OTHER, /24 hours after its confirmation if it is a deposit.*not from this console/, /final/],
  ['PROCESSING', 'P2P', /dispute window.*does not tell.*disputed, or fail/, /24 hours|deposit/],
  ['DISPUTED', OTHER, /arbitrator.*keeps.*refunded/, /by itself/],
  ['DISPUTED', 'P2P', /arbitrator.*keeps.*refunded/, /by itself/],
  ['BLOCKED', OTHER, /no operation that ends the review/, /by itself/],
  ['PROCESSED', 'P2P', /Nothing follows: it is settled/, /fail/],
  ['FAIL', 'P2P', /Nothing follows: it failed for good/, /settled/],
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
