import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#lib/contract/endpoints.ts'
import { parseJson } from '#lib/contract/json.ts'
import { type Json, type TestSandbox, testSandbox } from '#sandbox/testing/test-sandbox.ts'
import { disputed } from './disputed.ts'
import { userIdEndingIn } from './people.ts'
import { HOLDERS, historyOf, type ReadTransaction, readAll } from './test-world.ts'

const ARBITRATOR = 'arbitrator@example.com'
const NEWCOMER = 'newcomer@example.com'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

interface ReadCase {
  readonly id: string
  readonly referenceId: string
  readonly raisedByUserId: string
  readonly counterpartyUserId: string
  readonly status: string
  readonly reason: string
  readonly resolutionOutcome: string | null
  readonly resolutionReason: string | null
  readonly resolvedByUserId: string | null
  readonly createdAt: string
  readonly resolvedAt: string | null
}

interface ReadMessage {
  readonly id: string
  readonly senderUserId: string | null
  readonly isSystemMessage: boolean
  readonly body: string
  readonly createdAt: string
}

let box: TestSandbox
let cases: readonly ReadCase[]
let threads: ReadonlyMap<string, readonly ReadMessage[]>
let transactions: ReadonlyMap<string, ReadTransaction>

const messagesOf = async (id: string) =>
  (await readAll(box, `/api/v1/Dispute/${id}/messages`, 'messages', ARBITRATOR)) as unknown as readonly ReadMessage[]

beforeAll(async () => {
  box = await testSandbox()
  await box.reset()
  cases = (await readAll(box, '/api/v1/Dispute?all=true', 'cases', ARBITRATOR)) as unknown as readonly ReadCase[]
  threads = new Map(await Promise.all(cases.map(async ({ id }) => [id, await messagesOf(id)] as const)))
  const histories = await Promise.all(HOLDERS.map(([ending]) => historyOf(box, ending)))
  transactions = new Map(histories.flat().map((row) => [row.referenceId, row]))
})

const open = () => cases.filter(({ status }) => status === 'OPEN')
const resolved = () => cases.filter(({ status }) => status === 'RESOLVED')
const threadOf = ({ id }: ReadCase) => threads.get(id) ?? []
const transactionOf = ({ referenceId }: ReadCase) => transactions.get(referenceId)

test('there are 45: 30 open, 15 resolved, both ways', () => {
  expect([cases.length, open().length, resolved().length]).toEqual([45, 30, 15])
  const outcomes = resolved().map(({ resolutionOutcome }) => resolutionOutcome)
  expect(new Set(outcomes)).toEqual(new Set(['REFUNDED', 'RELEASED']))
})

test('every case and every message is as the contract has it', async () => {
  for (const { id } of cases) {
    const { body } = await box.call('GET', `/api/v1/Dispute/${id}`, { as: ARBITRATOR })
    expect(endpoints.disputes.read.data.safeParse(parseJson(JSON.stringify(body.data))).success, id).toBe(true)
  }
})

test('every holder has some of their own, on either side', async () => {
  for (const [ending, email] of HOLDERS) {
    const own = (await readAll(box, '/api/v1/Dispute', 'cases', email)) as unknown as readonly ReadCase[]
    expect(own.filter(({ raisedByUserId }) => raisedByUserId === userIdEndingIn(ending)).length).toBeGreaterThan(2)
    expect(
      own.filter(({ counterpartyUserId }) => counterpartyUserId === userIdEndingIn(ending)).length,
    ).toBeGreaterThan(2)
  }
})

describe('cases and money agree', () => {
  test('a payment is DISPUTED if, and only if, it has an open case', () => {
    const disputedNow = [...transactions.values()].filter(({ state }) => state === 'DISPUTED')
    expect(new Set(disputedNow.map(({ referenceId }) => referenceId))).toEqual(
      new Set(open().map(({ referenceId }) => referenceId)),
    )
  })

  test('who was refunded got everything back by a reversal that says why; who was not, did not', () => {
    const reversals = [...transactions.values()].filter(({ transactionType }) => transactionType === 'REVERSAL')
    for (const given of resolved()) {
      const payment = transactionOf(given)
      expect([payment?.state, payment?.settledAt]).toEqual(['PROCESSED', given.resolvedAt])
      const closing = threadOf(given).at(-1)?.body ?? ''
      const reversal = reversals.find(({ referenceId }) => closing.includes(referenceId))
      expect(reversal !== undefined, closing).toBe(given.resolutionOutcome === 'REFUNDED')
      if (reversal === undefined) continue
      expect(reversal).toMatchObject({
        fromAccountId: payment?.toAccountId,
        toAccountId: payment?.fromAccountId,
        credit: payment?.debit,
        debit: payment?.credit,
        note: given.resolutionReason,
      })
    }
  })

  test('the two people of a case are those of its payment, and it was raised within the dispute window', () => {
    for (const given of cases) {
      const payment = transactionOf(given)
      expect(payment?.fromAccountId).toBe(given.raisedByUserId)
      if (payment?.transactionType === 'P2P') expect(payment.toAccountId).toBe(given.counterpartyUserId)
      expect(given.counterpartyUserId).not.toBe(given.raisedByUserId)
      const waited = Date.parse(given.createdAt) - Date.parse(payment?.createdAt ?? '')
      expect(waited > 0 && waited < 3 * DAY, given.id).toBe(true)
    }
  })

  test('transfers and purchases are told as what they are', () => {
    for (const [subject, , to] of disputed) {
      const inAShop = ['twice', 'spoiled', 'receipt', 'faulty', 'order'].includes(subject)
      expect(to.startsWith('merchant-'), subject).toBe(inAShop)
    }
  })
})

describe('threads', () => {
  test('have from 1 to 120 messages', () => {
    const lengths = cases.map((given) => threadOf(given).length)
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([1, 120])
    expect(new Set(lengths).size).toBeGreaterThan(20)
  })

  test('begin and end with a message of the service', () => {
    for (const given of cases) {
      const thread = threadOf(given)
      const closes = given.resolvedAt === null ? [] : [thread.at(-1)]
      const own = thread.filter(({ isSystemMessage }) => isSystemMessage)
      expect(own.map(({ id }) => id)).toEqual([thread[0], ...closes].map((message) => message?.id))
      expect(own.map(({ createdAt }) => createdAt)).toEqual([given.createdAt, given.resolvedAt].filter(Boolean))
      expect(own.every(({ senderUserId }) => senderUserId === null)).toBe(true)
    }
  })

  test('have ordered past times and no repeated message', async () => {
    const now = String((await box.call('GET', '/sandbox/clock')).body.now)
    for (const given of cases) {
      const times = threadOf(given).map(({ createdAt }) => createdAt)
      expect(times).toEqual([...times].sort())
      expect(times.every((time) => time < now)).toBe(true)
      const bodies = threadOf(given).map(({ body }) => body)
      expect(new Set(bodies).size, given.id).toBe(bodies.length)
      expect(bodies.filter((body) => /[{}]|undefined/.test(body))).toEqual([])
    }
  })

  test('are written by both people, and in some of them by an arbitrator', () => {
    const long = cases.filter((given) => threadOf(given).length > 5)
    for (const given of long) {
      const senders = new Set(threadOf(given).map(({ senderUserId }) => senderUserId))
      expect(senders.has(given.raisedByUserId) && senders.has(given.counterpartyUserId), given.id).toBe(true)
    }
    const arbitrators = ['002', '003', '005'].map(userIdEndingIn)
    const looked = cases.filter((given) =>
      threadOf(given).some(({ senderUserId }) => senderUserId !== null && arbitrators.includes(senderUserId)),
    )
    expect(looked.length).toBeGreaterThan(10)
    expect(looked.length).toBeLessThan(cases.length)
  })
})

test('they are from minutes to weeks old', async () => {
  const now = Date.parse(String((await box.call('GET', '/sandbox/clock')).body.now))
  const ages = open().map(({ createdAt }) => now - Date.parse(createdAt))
  expect(Math.min(...ages)).toBeLessThan(30 * MINUTE)
  expect(Math.max(...ages)).toBeGreaterThan(28 * DAY)
  expect(ages.filter((age) => age < DAY).length).toBeGreaterThan(5)
  expect(ages.filter((age) => age > 7 * DAY).length).toBeGreaterThan(5)
})

test('reasons are many, and each is about its own case', () => {
  expect(new Set(cases.map(({ reason }) => reason)).size).toBe(cases.length)
})

describe('a seeded case goes on like any other', () => {
  const done = new Set<string>()
  const resolve = (id: string, releaseToRecipient: boolean) =>
    box.call('POST', `/api/v1/Dispute/${id}/resolve`, {
      as: NEWCOMER,
      body: { releaseToRecipient, resolutionReason: 'Both agree.' },
    })

  test.each([[true], [false]])('it is resolved with what the service itself writes: release %s', async (release) => {
    const given = open().find(({ id }) => !done.has(id))
    done.add(given?.id ?? '')
    const { status, body } = await resolve(given?.id ?? '', release)
    expect(status).toBe(200)
    const like = resolved().find(({ resolutionOutcome }) => resolutionOutcome === String(body.data?.resolutionOutcome))
    const words = (text = '') => text.replace(/REV~\S+(?=\.$)/, 'REV')
    const thread = await messagesOf(given?.id ?? '')
    const seeded = like === undefined ? [] : threadOf(like)
    expect(words(thread.at(-1)?.body)).toBe(words(seeded.at(-1)?.body))
  })

  test('it is opened with what the service itself writes', async () => {
    const paid = await box.call('POST', '/api/v1/Transaction/p2p', {
      as: 'ana@example.com',
      body: { recipientId: userIdEndingIn('012'), amount: 5, useEscrow: true },
    })
    const raised: Json = (
      await box.call('POST', '/sandbox/disputes', {
        body: {
          referenceId: paid.body.data?.referenceId,
          raisedByUserId: userIdEndingIn('011'),
          reason: 'It never came.',
        },
      })
    ).body
    const [opening] = await messagesOf(String(raised.id))
    expect(opening?.body).toBe(threadOf(open()[0] as ReadCase)[0]?.body)
  })
})
