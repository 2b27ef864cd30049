import { expect, test } from 'vitest'
import { CANARY, withUnknownFields } from '#lib/testing/open-fields.ts'
import { readHubPayload } from './hub-connection.ts'

const id = '00000000-0000-4000-8000-0000000000a1'
const message = {
  id,
  disputeCaseId: '00000000-0000-4000-8000-0000000000c1',
  senderUserId: null,
  isSystemMessage: true,
  body: 'The case was opened.',
  createdAt: '2026-07-01T10:00:00.1234567Z',
}

test('reads property names with a lower-case or capital initial', () => {
  expect(readHubPayload('MessagePosted', message)).toEqual(message)
  const { id: Id, disputeCaseId: DisputeCaseId, isSystemMessage: IsSystemMessage, ...rest } = message
  const { body: Body, createdAt: CreatedAt, senderUserId: SenderUserId } = rest
  const capital = { Id, DisputeCaseId, IsSystemMessage, Body, CreatedAt, SenderUserId }
  expect(readHubPayload('MessagePosted', capital)).toEqual(message)
})

test.each([
  ['nothing', undefined],
  ['a list', [message]],
  ['a text', 'message'],
  ['a message without a case', { ...message, disputeCaseId: undefined }],
  ['a time that is none', { ...message, createdAt: 'yesterday' }],
])('%s does not fit the contract', (_what, payload) => {
  expect(readHubPayload('MessagePosted', payload)).toBeNull()
})

const opened = {
  id,
  referenceId: 'P2P-1',
  raisedByUserId: id,
  counterpartyUserId: id,
  status: 'OPEN',
  reason: 'The goods never came.',
  resolutionOutcome: null,
  resolutionReason: null,
  resolvedByUserId: null,
  createdAt: message.createdAt,
  resolvedAt: null,
}

test.each([
  ['MessagePosted', message],
  ['CaseOpened', opened],
  ['CaseResolved', opened],
] as const)('%s keeps only the fields of the interface', (name, payload) => {
  expect(readHubPayload(name, JSON.parse(withUnknownFields(JSON.stringify(payload))))).toEqual(payload)
})

test('prefers the exact name to one with a capital initial', () => {
  for (const payload of [
    { ...message, Body: CANARY },
    { Body: CANARY, ...message },
  ])
    expect(readHubPayload('MessagePosted', payload)).toEqual(message)
})
