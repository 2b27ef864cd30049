import { expect, test } from 'vitest'
import { laterFact, type TransactionFact } from './queue.ts'

const read = (readAt: number): TransactionFact => ({ kind: 'read', debit: '1.00000000', state: 'DISPUTED', readAt })
const hidden: TransactionFact = { kind: 'not-visible', readAt: 2 }
const unread: TransactionFact = { kind: 'unread' }

test.each<[string, TransactionFact | undefined, TransactionFact | undefined, TransactionFact | undefined]>([
  ['the later reading', read(1), read(2), read(2)],
  ['the later reading, told first', read(3), read(2), read(3)],
  ['what the service said later', read(1), hidden, hidden],
  ['what was read, not what could not be', read(1), unread, read(1)],
  ['what was read in the end', unread, read(1), read(1)],
  ['that it could not be read', undefined, unread, unread],
  ['what there is', read(1), undefined, read(1)],
  ['nothing', undefined, undefined, undefined],
])('of two readings of a transaction stands %s', (_what, one, other, stands) => {
  expect(laterFact(one, other)).toEqual(stands)
})
