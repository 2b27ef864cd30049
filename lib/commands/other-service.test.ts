import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { type CommandRow, findCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { draftOf } from '#lib/testing/command-run.ts'
import { type Change, changes, factorChanges } from '#lib/testing/other-changes.ts'
import { otherConsole, staffAt, verified } from '#lib/testing/other-console.ts'
import type { Fault } from '#lib/testing/other-service/faults.ts'
import { OtherService } from '#lib/testing/other-service/other-service.ts'
import { rightCode } from '#lib/testing/other-service/security.ts'
import { executeCommand } from './execute.ts'
import { settleByReading } from './settle.ts'

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

/** What the person was told: it happened, it did not, or it is not known. */
const HAPPENED = new Set(['done', 'applied'])
const FAILED = new Set(['refused', 'not_applied', 'closed'])

let service: OtherService
let session: Session

beforeAll(async () => {
  service = await OtherService.start()
})
afterAll(() => service.stop())
beforeEach(async () => {
  session = await otherConsole(service, { codeDigits: 6 })
})

interface Sent {
  readonly id: string
  readonly on: string
}

async function run(change: Change, fault: Fault | null, who = session): Promise<Sent> {
  const { params, on } = change.ask(service.world, who)
  const drafted = await draftOf(who, change.kind, params)
  if (!drafted.ok) throw new Error(JSON.stringify(drafted))
  const { id, proof } = drafted.draft
  service.fault = fault
  const code = change.kind.startsWith('totp.') ? rightCode(service.world) : null
  const reply = await executeCommand(who, id, { code, proof: proof?.expected ?? null }, () => {})
  if (!reply.ok) throw new Error(JSON.stringify(reply))
  return { id, on }
}

async function rowOf({ id }: Sent): Promise<CommandRow> {
  const row = await findCommand(await store(), id)
  if (row === undefined) throw new Error('the command is gone')
  return row
}

/** Looks as the console does by itself, as if the change had been sent so many minutes ago. */
async function look(sent: Sent, minutesAgo: number): Promise<void> {
  const row = await rowOf(sent)
  if (row.state !== 'unknown' && row.state !== 'accepted') return
  const sentAt = new Date(Date.now() - minutesAgo * 60_000).toISOString()
  await settleByReading(session, { ...row, sent_at: sentAt })
}

/** One effect at most; what is told as done was done by this person, and what is told as failed was not. */
async function expectTruth(sent: Sent, by: Session = session): Promise<string> {
  const effects = service.world.effectsOn(sent.on).filter((effect) => effect.by === by.userId)
  const { state } = await rowOf(sent)
  expect(effects.length).toBeLessThanOrEqual(1)
  if (HAPPENED.has(state)) expect(effects, `told ${state}`).toHaveLength(1)
  if (FAILED.has(state)) expect(effects, `told ${state}`).toEqual([])
  return state
}

const wasMade = (fault: Fault | null): boolean => fault === null || fault === 'accepted' || fault.endsWith('after')

async function tryOut(change: Change, fault: Fault | null): Promise<void> {
  verified(service, session)
  const sent = await run(change, fault)
  expect(service.changesSent).toBe(1)
  await expectTruth(sent)
  service.work()
  await look(sent, 0)
  await expectTruth(sent)
  await look(sent, 5)
  const state = await expectTruth(sent)
  if (fault === null) expect(state).toBe('done')
  if (change.readable && wasMade(fault)) expect(HAPPENED.has(state), `ended as ${state}`).toBe(true)
  expect(service.changesSent).toBe(1)
}

describe.each(changes)('$name', (change) => {
  test('is made once and told as done', () => tryOut(change, null))
  test.each(faults)('%s', (fault) => tryOut(change, fault))

  test('an answer that is lost before the change is made, a little later: not told as failed meanwhile', async () => {
    verified(service, session)
    const sent = await run(change, 'late')
    await look(sent, 1)
    expect(FAILED.has(await expectTruth(sent))).toBe(false)
    service.work()
    await look(sent, 1)
    const state = await expectTruth(sent)
    if (change.readable) expect(state).toBe('applied')
  })

  test('confirmed twice at once, it is sent once', async () => {
    verified(service, session)
    const { params, on } = change.ask(service.world, session)
    const drafted = await draftOf(session, change.kind, params)
    if (!drafted.ok) throw new Error(JSON.stringify(drafted))
    const { id, proof } = drafted.draft
    const given = { code: null, proof: proof?.expected ?? null }
    await Promise.all([1, 2, 3].map(() => executeCommand(session, id, given, () => {})))
    await expectTruth({ id, on })
    expect([service.changesSent, service.world.effectsOn(on).length]).toEqual([1, 1])
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
    service.world.habits = { ...service.world.habits, confirming: { status: 202, becomes: 'PROCESSING' } }
    const sent = await run(deposit, null)
    await look(sent, 0)
    expect(await expectTruth(sent)).toBe('applied')
  })

  test('and not minted yet is under way, however long it takes', async () => {
    service.world.habits = { ...service.world.habits, confirming: { status: 202, becomes: 'PENDING' } }
    const sent = await run(deposit, null)
    await look(sent, 5)
    expect(await expectTruth(sent)).toBe('accepted')
  })
})

describe('decided by somebody else meanwhile', () => {
  const decisions = changes.filter(({ kind }) => kind === 'dispute.resolve')

  test.each(decisions)('$name: another person’s is not taken for this one', async (change) => {
    verified(service, session)
    const sent = await run(change, 'lost-before')
    const colleague = await staffAt(service, 'none')
    const [payment] = service.world.payments.filter(({ referenceId }) => referenceId === sent.on)
    const found = service.world.cases.find((one) => one.payment === payment)
    const person = [...service.world.people.values()].find(({ userId }) => userId === colleague.userId)
    if (found === undefined || person === undefined) throw new Error('there is nothing to decide')
    service.world.decide(found.payment, change.name.includes('release'), person)
    // To the letter the same reason.
    Object.assign(found, { resolvedBy: person.userId, reason: 'Both sides agree.', resolvedAt: found.createdAt })
    await look(sent, 0)
    await look(sent, 5)
    await expectTruth(sent)
  })
})
