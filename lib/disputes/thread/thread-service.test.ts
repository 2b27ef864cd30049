import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import { disputeResolve } from '#lib/disputes/dispute-resolve.ts'
import { limitConcurrency, type ThreadService } from '#lib/disputes/dispute-service.ts'
import { ANA, BEN, caseOf, freshQueue, idOf } from '#lib/testing/listed-cases.ts'
import { ok } from '#lib/testing/scripted-service.ts'
import { disputeMessage } from './dispute-message.ts'

test('limits concurrent reads and keeps their order after failures', async () => {
  const begun: string[] = []
  const end: ((fails: boolean) => void)[] = []
  const read = (what: string) =>
    new Promise<never>((_done, fail) => {
      begun.push(what)
      end.push((fails) => fail(fails ? new Error(what) : problemOf('unreachable')))
    })
  const service: ThreadService = { readCase: read, readPage: (caseId, page) => read(`${caseId} ${page}`) }
  const few = limitConcurrency(service, 2)
  const readings = [few.readCase('a'), few.readPage('a', 1), few.readCase('b'), few.readPage('b', 2)]
  const ended = Promise.allSettled(readings)
  await turn()
  expect(begun).toEqual(['a', 'a 1'])
  end[1]?.(true)
  await turn()
  expect(begun).toEqual(['a', 'a 1', 'b'])
  for (const one of end) one(false)
  await turn()
  for (const one of end) one(false)
  await ended
  await expect(Promise.race([few.readCase('c'), turn('waits')])).resolves.toBe('waits')
  expect(begun).toEqual(['a', 'a 1', 'b', 'b 2', 'c'])
})

test('leaves out a reading that nobody waits for any more', async () => {
  const begun: string[] = []
  const end: (() => void)[] = []
  const read = (what: string) =>
    new Promise<never>((_done, fail) => {
      begun.push(what)
      end.push(() => fail(new Error(what)))
    })
  const few = limitConcurrency({ readCase: read, readPage: read }, 1)
  const gone = new AbortController()
  const readings = [few.readCase('a'), few.readCase('b', gone.signal), few.readPage('c', 1, gone.signal)]
  const ended = Promise.allSettled(readings)
  await turn()
  gone.abort()
  end[0]?.()
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(begun).toEqual(['a'])
})

describe('a thread of which messages are missing', () => {
  const message = (number: number, body: string, senderUserId: string) => ({
    id: idOf(900 + number),
    ...{ disputeCaseId: idOf(1), senderUserId, isSystemMessage: false, body },
    createdAt: `2026-07-01T11:00:0${number}.0000000Z`,
  })
  const page = (number: number) => `GET /api/v1/Dispute/${idOf(1)}/messages?page=${number}&pageSize=100`
  const first = message(1, 'Where is it?', ANA)
  let queue: Awaited<ReturnType<typeof freshQueue>>

  beforeEach(async () => {
    queue = await freshQueue()
    queue.service.on(`GET /api/v1/Dispute/${idOf(1)}`, ok({ ...caseOf(1), messages: [first] }))
    queue.service.on(page(1), ok({ messages: [first], totalCount: 3 }))
    queue.service.on(page(2), ok({ messages: [], totalCount: 3 }))
  })

  test.for([
    ['whole', 1, {}, true],
    ['partial', 3, {}, false],
    ['read by an earlier version', 1, { whole: undefined }, false],
  ] as const)('a lost message drafted on a thread %s', async ([_when, totalCount, change, settled]) => {
    const { service, session } = queue
    const params = { caseId: idOf(1), body: 'Please send the receipt.' }
    service.on(page(1), ok({ messages: [first], totalCount }))
    const facts = await disputeMessage.readFacts(session, params)
    if (!facts.ok) throw new Error(JSON.stringify(facts.problem))
    service.on(page(1), ok({ messages: [first, message(2, params.body, session.userId)], totalCount: 2 }))
    const sent = { facts: { ...facts.value, ...change }, actorUserId: session.userId }
    expect(await disputeMessage.reconcile?.(session, params, sent as never)).toMatchObject({ settled })
  })

  test('is decided on with a warning', async () => {
    const { service, session } = queue
    const transaction = {
      ...{ transactionId: idOf(5), referenceId: 'reference 1', fromAccountId: ANA, toAccountId: BEN },
      ...{ credit: '5.00000000', debit: '5.00000000', transactionType: 'P2P', state: 'DISPUTED' },
      ...{ chainReferenceId: '', txContractAddress: '', txContractVersion: '', note: '', failReason: '' },
      ...{ createdAt: '2026-07-01T09:00:00.0000000Z', settledAt: null },
    }
    service.on('GET /api/v1/Transaction/reference%201', ok(transaction))
    const of = { caseId: idOf(1), referenceId: 'reference 1', latestMessageId: first.id }
    const params = { ...of, decision: 'refund', reason: 'x' } as const
    const facts = await disputeResolve.readFacts(session, params)
    expect(facts).toMatchObject({ value: { messages: '1 of 3' } })
    const warning = facts.ok && (await disputeResolve.warning?.(session, params, facts.value))
    expect(warning).toBe('Only 1 of 3 messages could be read.')
  })
})
