import { expect, test } from 'vitest'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { withUnknownFields } from '#lib/testing/open-fields.ts'
import { readData, readProblem } from './client.ts'

const id = '00000000-0000-4000-8000-0000000000a1'
const at = '2026-07-01T10:00:00.1234567Z'
const [none, account] = [null, { fromAccountId: id, toAccountId: id }]
const money = { credit: '250.00000000', debit: '250.25000000' }
const chain = { chainReferenceId: 'OC1', txContractAddress: 'a', txContractVersion: '1' }
const told = { note: '', failReason: '' }
const transaction = {
  ...{ transactionId: '1', referenceId: 'DEP-1', ...account, ...money, transactionType: 'P2P', state: 'QUEUED' },
  ...{ ...chain, createdAt: at, settledAt: none, ...told },
}
const operation = { referenceId: 'DEP-1', state: 'QUEUED', message: '', accepted: true }
const caps = { perTxnCap: 10.5, dailyCap: none, lifetimeCap: none }
const card = {
  ...{ id, userId: id, cardNumber: none, last4: '1111', cardType: 1, cardTypeName: 'Debit', printedName: 'ANA' },
  ...{ status: 'ACTIVE', frozen: false, issuedAt: at, activatedAt: at, frozenAt: none, ...caps },
}
const message = { id, disputeCaseId: id, senderUserId: id, isSystemMessage: false, body: 'text', createdAt: at }
const resolved = { resolutionOutcome: none, resolutionReason: none, resolvedByUserId: none, resolvedAt: none }
const found = {
  ...{ id, referenceId: 'DEP-1', raisedByUserId: id, counterpartyUserId: id, status: 'OPEN', reason: 'why' },
  ...{ ...resolved, createdAt: at },
}
const terminal = {
  ...{ id, merchantId: 'm', terminalUid: 'u', label: 'l', status: 'ACTIVE', registeredAt: at, updatedAt: at },
}
const tokens = { accessToken: 'a', refreshToken: 'r', expiresIn: 900 }

/** An answer of each endpoint that gives one; null where the interface does not show what the answer holds. */
const answers: { readonly [Resource in keyof typeof endpoints]: Record<keyof (typeof endpoints)[Resource], unknown> } =
  {
    users: { register: { id }, login: tokens, refreshToken: tokens, scopes: { roles: ['r'], scopes: ['s'] } },
    transactions: {
      ...{ deposit: operation, p2p: operation, purchase: operation, withdraw: operation, resolveDispute: null },
      confirmDeposit: { ...operation, chainReferenceId: 'OC1', txContractAddress: 'a' },
      read: transaction,
      history: { transactions: [transaction, { referenceId: 'torn' }], totalCount: 2 },
    },
    cards: {
      ...{ list: { cards: [card, {}] }, read: card, issue: card, activate: null, freeze: null, unfreeze: null },
      ...{ limits: null, block: null },
    },
    disputes: {
      list: { cases: [found, { id }], totalCount: 2 },
      read: { ...found, messages: [message, {}] },
      messages: { messages: [message, {}], totalCount: 2 },
      post: message,
      resolve: null,
    },
    terminals: { list: { terminals: [terminal, {}] }, read: terminal, register: null, disable: null },
    security: {
      status: { enrolled: true, enrolledAt: at, lockedUntil: none },
      enrol: { url: 'otpauth://totp/x', barcode: 'b' },
      confirm: null,
      verify: { token: 't', expiresAt: at },
      remove: null,
    },
  }

const cases = Object.entries(endpoints).flatMap(([resource, rows]) =>
  Object.entries(rows as Record<string, Endpoint>).flatMap(([name, endpoint]) => {
    const data = (answers[resource as keyof typeof answers] as Record<string, unknown>)[name]
    return data === null ? [] : [{ name: `${resource}.${name}`, endpoint, data }]
  }),
)

test.each(cases)('$name: unknown fields of every type, at every depth, change nothing', ({ endpoint, data }) => {
  const plain = readData(endpoint.data, {}, JSON.stringify({ data }))
  const open = readData(endpoint.data, {}, withUnknownFields(JSON.stringify({ data })))
  expect(plain).not.toBeNull()
  expect(open).toEqual(plain)
  expect(JSON.stringify(open)).not.toContain('zz')
})

test('a list of terminals that is a list by itself is read as well', () => {
  const open = readData(endpoints.terminals.list.data, {}, withUnknownFields(JSON.stringify({ data: [terminal, {}] })))
  expect(open?.data.terminals).toEqual([{ readable: true, value: terminal }, { readable: false }])
})

test('one row that does not fit is unreadable, and nothing of it is kept', () => {
  const body = withUnknownFields(JSON.stringify({ data: answers.transactions.history }))
  const rows = readData(endpoints.transactions.history.data, {}, body)?.data.transactions
  expect(rows).toEqual([{ readable: true, value: transaction }, { readable: false }])
})

test('a problem keeps what the interface gives, whatever else it carries', () => {
  const document = {
    ...{ type: 'urn:ocs:error:core::gatekeeper::required', title: 'Verify', status: 403, detail: 'd', traceId: 't' },
    errors: { amount: ['too much'] },
  }
  const plain = readProblem(endpoints.disputes.resolve, 403, {}, JSON.stringify(document))
  const open = readProblem(endpoints.disputes.resolve, 403, {}, withUnknownFields(JSON.stringify(document)))
  expect(plain).toMatchObject({ code: 'core::gatekeeper::required', errors: { amount: ['too much'] } })
  expect(open).toEqual(plain)
})

test('a member of a problem that is of another type leaves the others as they are', () => {
  const document = { type: 'urn:ocs:error:core::gatekeeper::required', title: 7, status: 'x', traceId: {}, errors: [] }
  const problem = readProblem(endpoints.disputes.resolve, 403, {}, JSON.stringify(document))
  expect(problem).toMatchObject({ code: 'core::gatekeeper::required', title: null, traceId: null })
})

test.each(['referenceId', 'state'])(
  'a row whose %s can be neither kept nor named is unreadable, and the others stand',
  (name) => {
    const torn = ['a\0b', 'a\ud800b'].map((text) => ({ ...transaction, [name]: text }))
    const body = JSON.stringify({ data: { transactions: [...torn, transaction], totalCount: 3 } })
    const rows = readData(endpoints.transactions.history.data, {}, body)?.data.transactions
    expect(rows?.map(({ readable }) => readable)).toEqual([false, false, true])
  },
)
