import { expect, test } from 'vitest'
import { roleIn } from './resolution.ts'

const ANA = '00000000-0000-4000-8000-00000000000a'
const BEN = '00000000-0000-4000-8000-00000000000b'
const NEITHER = '00000000-0000-4000-8000-000000000002'

const paid = { raisedByUserId: ANA, counterpartyUserId: BEN, fromAccountId: ANA, toAccountId: BEN }

test.each([
  [ANA, 'Sender'],
  [ANA.toUpperCase(), 'Sender'],
  [BEN, 'Recipient'],
  [NEITHER, 'Arbitrator'],
])('%s is the %s of a transaction that can be read', (userId, role) => {
  expect(roleIn(paid, userId)).toBe(role)
})

test.each([
  [ANA, 'Raised it'],
  [BEN, 'Other side'],
  [NEITHER, 'Arbitrator'],
])('%s is known as %s while the transaction cannot be read', (userId, role) => {
  expect(roleIn({ ...paid, fromAccountId: null, toAccountId: null }, userId)).toBe(role)
})
