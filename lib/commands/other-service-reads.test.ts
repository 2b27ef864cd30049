import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { issueCard, readCard } from '#lib/cards/card-service.ts'
import { listCases, readCase, readMessages } from '#lib/disputes/dispute-service.ts'
import { caseOf } from '#lib/disputes/queue/find-cases.ts'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import type { Result } from '#lib/service/client.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import { readTotpStatus } from '#lib/service/security.ts'
import type { Session } from '#lib/session/session.ts'
import { listTerminals, readTerminal, registerTerminal } from '#lib/terminals/terminal-service.ts'
import { otherConsole, PAYEE, PAYER } from '#lib/testing/other-console.ts'
import { OtherService } from '#lib/testing/other-service/other-service.ts'
import { readAccountHistory, readTransaction } from '#lib/transactions/transaction-service.ts'
import { readUserAccess } from '#lib/users/user-service.ts'
import { wholeHistory } from '#lib/users/whole-history.ts'

let service: OtherService
let session: Session

beforeAll(async () => {
  service = await OtherService.start()
})
afterAll(() => service.stop())

const got = <Value>(result: Result<Value>): Value => {
  if (!result.ok) throw new Error(JSON.stringify(result.problem))
  return result.value
}

const everyCase = { all: true, status: null, page: 1, pageSize: 100 } as const

describe.each([
  ['unknown fields of every type at every depth, ids in capitals', { unknownFields: true, ids: 'upper' }],
  ['nothing but what the interface names, ids in small letters', { unknownFields: false, ids: 'lower' }],
] as const)('a service with %s', (_what, variant) => {
  const written = (id: string): string => (variant.ids === 'upper' ? id.toUpperCase() : id.toLowerCase())

  beforeEach(async () => {
    session = await otherConsole(service, variant)
  })

  test('a transaction is read to the last place, whatever its type and reference', async () => {
    const referenceId = service.world.dispute(PAYER, PAYEE, 20n, 12_345_678n)
    expect(got(await readTransaction(session, referenceId))).toMatchObject({
      referenceId,
      fromAccountId: written(PAYER),
      toAccountId: written(PAYEE),
      debit: '20.12345678',
      credit: '20.00000000',
      transactionType: '7',
      state: 'DISPUTED',
      settledAt: null,
    })
  })

  test('the time of the service is its own', async () => {
    const result = await readTransaction(session, service.world.announce(PAYER, 1n))
    const ahead = Date.parse((result.ok && result.serviceTime) || '') - Date.now()
    expect(ahead).toBeGreaterThan(55_000)
    expect(ahead).toBeLessThan(65_000)
  })

  test('a history is read whole, and every row of it', async () => {
    for (let n = 0; n < 130; n += 1) service.world.announce(PAYER, BigInt(n + 1))
    const references: string[] = []
    for await (const part of wholeHistory((query) => readAccountHistory(session, PAYER, query), 1000)) {
      if (!part.ok) throw new Error(JSON.stringify(part.problem))
      for (const row of part.rows) if (row.readable) references.push(row.value.referenceId)
    }
    expect(references).toEqual(service.world.payments.map(({ referenceId }) => referenceId).toReversed())
  })

  test('cases are listed, read, and found by their transaction', async () => {
    const referenceId = service.world.dispute(PAYER, PAYEE, 20n, 0n)
    const caseId = service.world.raise(referenceId)
    const without = service.world.dispute(PAYEE, PAYER, 30n, 0n)
    const { cases, totalCount } = got(await listCases(session, everyCase))
    expect([totalCount, cases]).toMatchObject([1, [{ readable: true, value: { id: written(caseId), referenceId } }]])
    expect(got(await listCases(session, { ...everyCase, status: 'RESOLVED' })).totalCount).toBe(0)
    expect(got(await readCase(session, caseId))).toMatchObject({ status: 'OPEN', raisedByUserId: written(PAYER) })
    expect(await caseOf(session, referenceId)).toEqual({ kind: 'case', caseId: written(caseId) })
    expect(await caseOf(session, without)).toEqual({ kind: 'none' })
  })

  test.each(['newest', 'oldest'] as const)('a thread whose pages begin with the %s is read whole', async (messages) => {
    service.world.variant = { ...service.world.variant, messages }
    const caseId = service.world.raise(service.world.dispute(PAYER, PAYEE, 20n, 0n))
    for (let n = 0; n < 130; n += 1) service.world.write(caseId, PAYER, `message ${n}`)
    const page = got(await readMessages(session, caseId, 1))
    expect([page.totalCount, page.messages.every(({ readable }) => readable)]).toEqual([131, true])
    const thread = got(await readWholeThread(session, caseId))
    expect([thread.missing, thread.messages.length]).toEqual([0, 131])
  })

  test('terminals without a label', async () => {
    await registerTerminal(session, { merchantId: 'any merchant', terminalUid: 'UID 1' })
    const [row] = got(await listTerminals(session, 'any merchant'))
    if (row?.readable !== true) throw new Error('the terminal cannot be read')
    expect(row.value).toMatchObject({ terminalUid: 'UID 1', label: '', status: 'ACTIVE' })
    expect(got(await readTerminal(session, row.value.id))).toMatchObject({ terminalUid: 'UID 1' })
  })

  test('a card of a type that nobody named, with a number of nineteen digits', async () => {
    const input = { userId: session.userId ?? '', cardType: '40', printedName: 'Me' }
    const sent = await issueCard(session, input)
    const issued = sent.kind === 'answer' ? sent.data : null
    expect(issued).toMatchObject({ cardNumber: expect.stringMatching(/^\d{19}$/), cardType: 40, status: 'UNISSUED' })
    expect(issued).toMatchObject({ perTxnCap: '1e2', dailyCap: '250.50', lifetimeCap: null })
    const read = got(await readCard(session, issued?.id ?? ''))
    expect(read).toMatchObject({ userId: written(session.userId ?? ''), cardType: 40, cardTypeName: '' })
    expect(JSON.stringify(read)).not.toContain(issued?.cardNumber)
  })

  test('scopes that the interface does not name change nothing', async () => {
    const access = await readAccess(session)
    expect(may(access, 'core:transactions:confirm')).toBe(true)
    expect(got(await readUserAccess(session, PAYER)).scopes).toContain('core:disputes:resolve')
  })

  test('the state of the second factor', async () => {
    expect(got(await readTotpStatus(session))).toMatchObject({ enrolled: true, lockedUntil: null })
  })

  test('a refusal of which there is nothing but its code', async () => {
    const refused = await readTransaction(session, 'no such thing')
    expect(refused).toMatchObject({ ok: false, problem: { status: 404, code: 'zz::no', title: null, traceId: null } })
  })
})
