import { expect, test } from 'vitest'
import { readQueueAddress } from './queue-address.ts'

test('filters by a party whose pasted id has invisible characters', () => {
  const party = '00000000-0000-4000-8000-000000000011'
  const query = new URLSearchParams({ party: `\u200E${party.slice(0, 9)}\u00AD${party.slice(9)}\u200B` })
  expect(readQueueAddress(query).filter.party).toBe(party)
})
