import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { type Change, changes, factorChanges } from '#lib/testing/other-changes.ts'
import { otherConsole, PAYER, staffAt, verified } from '#lib/testing/other-console.ts'
import type { Fault } from '#lib/testing/other-service/faults.ts'
import { OtherService } from '#lib/testing/other-service/other-service.ts'
import { isDone, isFailed, Trial } from '#lib/testing/other-trial.ts'

const faults = [
  'lost-before',
  'lost-after',
  'accepted',
  'broken',
  'broken-after',
  'gateway-after',
  'garbled-after',
  'empty-after',
] as const satisfies readonly Fault[]

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

const wasMade = (fault: Fault | null): boolean => fault === null || fault === 'accepted' || fault.endsWith('after')

async function tryOut(change: Change, fault: Fault | null): Promise<void> {
  const trial = await Trial.send(service, session, change, fault)
  expect(service.changesSent).toBe(1)
  await trial.expectTruth()
  service.work()
  await trial.look(0)
  await trial.expectTruth()
  await trial.look(5)
  const state = await trial.expectTruth()
  if (fault === null) expect(state).toBe('done')
  if (change.readable && wasMade(fault)) expect(isDone(state), `ended as ${state}`).toBe(true)
  expect(service.changesSent).toBe(1)
}

describe.each(changes)('$name', (change) => {
  test('is made once and told as done', () => tryOut(change, null))
  test.each(faults)('%s', (fault) => tryOut(change, fault))

  test('made a little after its answer was lost, it is not told as failed meanwhile', async () => {
    const trial = await Trial.send(service, session, change, 'late')
    await trial.look(1)
    expect(isFailed(await trial.expectTruth())).toBe(false)
    service.work()
    await trial.look(1)
    const state = await trial.expectTruth()
    if (change.readable) expect(state).toBe('applied')
  })

  test('confirmed three times at once, it is sent once', async () => {
    const trial = await Trial.draft(service, session, change)
    await Promise.all([trial.execute(), trial.execute(), trial.execute()])
    await trial.expectTruth()
    expect([service.changesSent, service.world.effectsOn(trial.on).length]).toEqual([1, 1])
  })
})

describe.each(factorChanges)('$name', (change) => {
  test.each([null, ...faults])('%s', async (fault) => {
    for (const person of service.world.people.values()) person.factor = change.before
    await tryOut(change, fault)
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
  '$name: the same decision by somebody else, in the same words, is not taken for this one',
  async (change) => {
    const trial = await Trial.send(service, session, change, 'lost-before')
    const colleague = service.personOf(await staffAt(service, 'none'))
    service.world.decideCase(trial.on, change.name.includes('release'), 'Both sides agree.', colleague)
    await trial.look(0)
    await trial.look(5)
    await trial.expectTruth()
  },
)

test.each(['newest', 'oldest', 'moving'] as const)(
  'a message in a long thread that lists the %s first',
  async (order) => {
    const message = changes.find(({ kind }) => kind === 'dispute.message') as Change
    const inLongThread: Change = {
      ...message,
      ask(world, who) {
        const asked = message.ask(world, who)
        for (let n = 0; n < 130; n += 1) world.write(asked.params.caseId ?? '', PAYER, `message ${n}`)
        return asked
      },
    }
    service.world.variant = { ...service.world.variant, messages: order }
    const trial = await Trial.send(service, session, inLongThread, 'lost-after')
    await trial.look(5)
    const state = await trial.expectTruth()
    if (order !== 'moving') expect(state).toBe('applied')
  },
)
