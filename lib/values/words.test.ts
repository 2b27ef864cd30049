import { expect, test } from 'vitest'
import { serviceWord } from './words.ts'

test('a name that is known has a word; one that is not, or that every object has, has none', () => {
  expect(serviceWord('transactionType', 'P2P')).toBe('Transfer')
  expect(serviceWord('role', 'DISPUTE_ADMIN')).toBe('Dispute arbitrator')
  expect(serviceWord('resolutionOutcome', 'REFUNDED')).toBe('Sender refunded')
  for (const name of ['p2p', 'ON_THE_MOON', '', 'constructor', '__proto__', 'ADMIN']) {
    expect(serviceWord('transactionType', name)).toBeNull()
  }
})
