import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { REVERSAL_LINE } from '#lib/disputes/resolution.ts'
import type { Session } from '#lib/session/session.ts'
import { draftOf } from '#lib/testing/command-run.ts'
import { type Change, changes, factorChanges } from '#lib/testing/other-changes.ts'
import { otherConsole, PAYER, staffAt, verified } from '#lib/testing/other-console.ts'
import { late, lostAfter, lostBefore } from '#lib/testing/other-service/faults.ts'
import { OtherService } from '#lib/testing/other-service/other-service.ts'
import { rightCode } from '#lib/testing/other-service/security.ts'
import { isDone, Trial } from '#lib/testing/other-trial.ts'

let service: OtherService
let session: Session

beforeAll(async () => {
  service = await OtherService.start()
})
afterAll(() => service.stop())
beforeEach(async () => {
  session = await otherConsole(service)
})

function named(name: string): Change {
  const change = changes.find((one) => one.name === name)
  if (change === undefined) throw new Error(`there is no ${name}`)
  return change
}

describe('a deposit that leaves Queued for', () => {
  const deposit = named('deposit.confirm')

  test.each([
    ['BLOCKED', 'accepted', null, 202],
    ['FAIL', 'accepted', null, 202],
    ['BLOCKED', 'an answer that is lost', lostAfter, 200],
    ['FAIL', 'an answer that is lost', lostAfter, 200],
  ] as const)('%s after %s is not told as done', async (becomes, _what, fault, status) => {
    service.world.variant = { ...service.world.variant, confirming: { status, becomes } }
    const trial = await Trial.send(service, session, deposit, fault)
    await trial.look(0)
    await trial.expectTruth()
    await trial.look(5)
    await trial.expectTruth()
  })
})

describe('decided by somebody else meanwhile, whose refund is of a type without words:', () => {
  test.each(['refund', 'release'] as const)('a %s whose answer is lost is not told as done', async (decision) => {
    verified(service, session)
    const trial = await Trial.send(service, session, named(`transaction.resolve, ${decision}`), lostBefore)
    const payment = service.world.payment(trial.on)
    if (payment === undefined) throw new Error('the payment is gone')
    service.world.decide(payment, false, service.personOf(await staffAt(service, 'none')))
    await trial.look(0)
    await trial.expectTruth()
    await trial.look(5)
    await trial.expectTruth()
  })
})

describe('the reversing transaction of a refund', () => {
  const ways = ['odd-name', 'nested', 'text', 'none', 'operation'] as const
  const refunds = ['from-recipient', 'from-escrow', 'without-fee'] as const
  const table = ways.flatMap((resolveAnswer) => refunds.map((refund) => [resolveAnswer, refund] as const))

  test.each(table)(
    'told in the answer as %s, booked %s: no other text is taken for it',
    async (resolveAnswer, refund) => {
      for (const name of ['dispute.resolve, refund', 'transaction.resolve, refund']) {
        service.reset({ resolveAnswer, refund })
        session = await staffAt(service)
        verified(service, session)
        const trial = await Trial.send(service, session, named(name), null)
        const outcome = trial.outcome
        const line = outcome?.class === 'done' ? outcome.lines.find(({ label }) => label === REVERSAL_LINE) : undefined
        const reversal = service.world.payments.find(({ type }) => type === '12')?.referenceId
        if (line?.as === 'reference') expect(line.value).toBe(reversal)
        else expect(line?.value).toMatch(/^Not confirmed yet/)
      }
    },
  )
})

describe('codes of eight digits', () => {
  test('let a decision through', async () => {
    const trial = await Trial.draft(service, session, named('dispute.resolve, refund'))
    const outcome = await trial.execute()
    expect(outcome).toMatchObject({ class: 'step-up', need: 'code' })
    expect((await trial.execute(rightCode(service.world))).class).toBe('done')
    await trial.expectTruth()
  })

  test.each(factorChanges)('$name', async (change) => {
    const trial = await Trial.send(service, session, change, null)
    expect(isDone(await trial.expectTruth())).toBe(true)
  })

  test('six digits are rejected as any wrong code, and the lock that follows is counted by the service’s clock', async () => {
    const trial = await Trial.draft(service, session, named('dispute.resolve, refund'))
    await trial.execute()
    const told = [await trial.execute('123456'), await trial.execute('654321')]
    expect(service.world.effectsOn(trial.on)).toEqual([])
    const locks = told.flatMap((one) =>
      one.class === 'step-up' && one.lockedSeconds !== null ? [one.lockedSeconds] : [],
    )
    expect(locks).not.toEqual([])
    for (const seconds of locks) expect(seconds).toBeLessThan(40)
  })
})

test('a decision of somebody enrolled is not sent before there is a code', async () => {
  const trial = await Trial.draft(service, session, named('dispute.resolve, release'))
  const outcome = await trial.execute()
  expect([outcome.class, service.changesSent]).toEqual(['step-up', 0])
})

describe('a service that tidies up texts', () => {
  const texts: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['dispute.message', { body: 'Please  answer.\n\n\nThank you.' }],
    ['dispute.resolve, refund', { reason: 'Both  sides\n\n\nagree.' }],
    ['terminal.register', { terminalUid: 'uid 12ab' }],
  ]

  test.each(texts)('%s: what was made is not told as failed because its text is another', async (name, change) => {
    service.world.variant = { ...service.world.variant, texts: 'tidied' }
    verified(service, session)
    const plain = named(name)
    const tidied: Change = {
      ...plain,
      ask(world, who) {
        const input = plain.ask(world, who)
        return { ...input, params: { ...input.params, ...change }, on: change.body ?? change.terminalUid ?? input.on }
      },
    }
    const trial = await Trial.send(service, session, tidied, lostAfter)
    await trial.look(0)
    await trial.expectTruth()
    await trial.look(5)
    await trial.expectTruth()
  })
})

test('a confirmation that is made after all does not find its bank reference given to another deposit', async () => {
  const bankReference = randomUUID()
  const deposit = named('deposit.confirm')
  const withReference: Change = {
    ...deposit,
    ask(world, who) {
      const input = deposit.ask(world, who)
      return { ...input, params: { ...input.params, bankReference } }
    },
  }
  const trial = await Trial.send(service, session, withReference, late)
  await trial.look(5)
  const params = { referenceId: service.world.announce(PAYER, 250n), bankReference, statementAmount: '250' }
  expect(await draftOf(session, 'deposit.confirm', params)).toMatchObject({ ok: false })
})
