import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { type Change, changes, factorChanges } from '#lib/testing/other-changes.ts'
import { otherConsole, PAYER, staffAt, verified } from '#lib/testing/other-console.ts'
import { late, lostAfter, lostBefore, refusedAfterActing } from '#lib/testing/other-service/faults.ts'
import { OtherService } from '#lib/testing/other-service/other-service.ts'
import { type Encounter, interruptions, isDone, isFailed, Trial, unprovenSuccesses } from '#lib/testing/other-trial.ts'

let service: OtherService
let session: Session

beforeAll(async () => {
  service = await OtherService.start()
})
afterAll(() => service.stop())
beforeEach(async () => {
  session = await otherConsole(service, { codeDigits: 6 })
  verified(service, session)
})

/** One of six, and each change begins with another one. The long form has all of them. */
const some = (encounters: readonly Encounter[], first: number): readonly Encounter[] =>
  encounters.filter((_encounter, at) => at % 6 === first % 6)

describe.each([...changes, ...factorChanges].map((change, at) => ({ ...change, at })))('$name', ({ at, ...change }) => {
  const claims = unprovenSuccesses(change)
  const others = [...claims.filter(({ made }) => made), ...interruptions]

  test('is made once and shown as done', async () => {
    const trial = await Trial.send(service, session, change, null)
    expect(isDone(await trial.expectTruth())).toBe(true)
    expect(service.changesSent).toBe(1)
  })

  test.each(claims.filter(({ made }) => !made))('is not done by $name', (encounter) =>
    Trial.expectTruthAfter(service, session, change, encounter),
  )

  test.each(some(others, at))('is shown as it is after $name', (encounter) =>
    Trial.expectTruthAfter(service, session, change, encounter),
  )

  test('is not sent where nothing listens', async () => {
    const trial = await Trial.draft(service, session, change)
    await trial.sendToNobody()
    expect(isDone(await trial.expectTruth())).toBe(false)
    expect(service.changesSent).toBe(0)
  })

  test('has one effect though the service denies it', async () => {
    const trial = await Trial.send(service, session, change, refusedAfterActing)
    await trial.look(5)
    expect([trial.effects(), service.changesSent]).toEqual([1, 1])
  })
})

describe.each(changes)('$name', (change) => {
  test('is not shown as failed before a late effect', async () => {
    const trial = await Trial.send(service, session, change, late)
    await trial.look(1)
    expect(isFailed(await trial.expectTruth())).toBe(false)
    service.work()
    await trial.look(1)
    const state = await trial.expectTruth()
    if (change.readable) expect(state).toBe('applied')
  })

  test('is sent once when confirmed three times at once', async () => {
    const trial = await Trial.draft(service, session, change)
    await Promise.all([trial.execute(), trial.execute(), trial.execute()])
    await trial.expectTruth()
    expect([service.changesSent, service.world.effectsOn(trial.on).length]).toEqual([1, 1])
  })
})

describe('a deposit whose confirmation is accepted', () => {
  const deposit = changes[0] as Change

  test('and minted is done', async () => {
    service.world.variant = { ...service.world.variant, confirming: { status: 202, becomes: 'PROCESSING' } }
    const trial = await Trial.send(service, session, deposit, null)
    await trial.look(0)
    expect(await trial.expectTruth()).toBe('applied')
  })

  test('and not minted yet is under way, however long it takes', async () => {
    service.world.variant = { ...service.world.variant, confirming: { status: 202, becomes: 'PENDING' } }
    const trial = await Trial.send(service, session, deposit, null)
    await trial.look(5)
    expect(await trial.expectTruth()).toBe('accepted')
  })
})

test.each(changes.filter(({ kind }) => kind === 'dispute.resolve'))(
  '$name by somebody else in the same words is another one',
  async (change) => {
    const trial = await Trial.send(service, session, change, lostBefore)
    const colleague = service.personOf(await staffAt(service, 'none'))
    service.world.decideCase(trial.on, change.name.includes('release'), 'Both sides agree.', colleague)
    await trial.look(0)
    await trial.look(5)
    await trial.expectTruth()
  },
)

test.each(['newest', 'oldest', 'moving'] as const)(
  'finds a message in a long thread that lists the %s first',
  async (order) => {
    const message = changes.find(({ kind }) => kind === 'dispute.message') as Change
    const inLongThread: Change = {
      ...message,
      ask(world, who) {
        const input = message.ask(world, who)
        for (let n = 0; n < 130; n += 1) world.write(input.params.caseId ?? '', PAYER, `message ${n}`)
        return input
      },
    }
    service.world.variant = { ...service.world.variant, messages: order }
    const trial = await Trial.send(service, session, inLongThread, lostAfter)
    await trial.look(5)
    const state = await trial.expectTruth()
    if (order !== 'moving') expect(state).toBe('applied')
  },
)
