import { expect, test } from 'vitest'
import { countByRole } from './thread-items.ts'

const parties = { raisedByUserId: 'ben', counterpartyUserId: 'ana', fromAccountId: 'ana', toAccountId: 'ben' }

const message = (id: string, senderUserId: string | null) => ({
  id,
  senderUserId,
  isSystemMessage: senderUserId === null,
  body: id,
  createdAt: `2026-11-16T10:0${id}:00.0000000Z`,
})

const thread = [message('0', null), message('1', 'ANA'), message('2', 'eve'), message('3', 'ana'), message('4', 'max')]

const told = (of: Parameters<typeof countByRole>[1]) =>
  countByRole(thread, of).map(({ role, count, first }) => [role, count, first?.createdAt.slice(11, 16) ?? null])

test('messages are counted by side and for all of the staff together, each with the time of the first', () => {
  expect(told(parties)).toEqual([
    ['Sender', 2, '10:01'],
    ['Recipient', 0, null],
    ['Arbitrator', 2, '10:02'],
  ])
})

test('while the transaction cannot be read, the sides are who raised the case and the other', () => {
  expect(told({ ...parties, fromAccountId: null, toAccountId: null })).toEqual([
    ['Raised it', 0, null],
    ['Other side', 2, '10:01'],
    ['Arbitrator', 2, '10:02'],
  ])
})
