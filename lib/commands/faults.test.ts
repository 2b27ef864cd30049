import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { kindOrFail, makeRoomForChanges } from '#lib/testing/command-run.ts'
import { LONG, runs } from '#lib/testing/runs.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { serviceTest } from '#lib/testing/test-worlds.ts'
import type { Outcome } from './command.ts'
import { executeCommand } from './execute.ts'
import { kindNamed } from './kind.ts'
import { draftCommand } from './prepare.ts'
import { reconcileCommand } from './reconcile.ts'
import { findCommand } from './store.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const RUNS = runs(200)
/** Fewer than the changes that one person may make in ten minutes. */
const AT_ONCE = 50
/** In which the service finishes what it has accepted. */
const SLOW_SECONDS = 5
/** Longer than the console waits for any answer to a change. */
const PAST_THE_TIMEOUT_MS = 31_000

const test = serviceTest
  /** Confirms a new deposit. Returns the command's id and the outcome that the operator sees. */
  .extend('confirmOne', ({ service, operator }) => async () => {
    const reference = await service.announceDeposit('10')
    const id = await draftOf(reference, operator)
    return { id, reference, outcome: await send(id, operator) }
  })
  /** Whether a deposit took effect: what the service itself says. */
  .extend('stateOf', ({ service }) => async (reference: string): Promise<string> => {
    const { accessToken } = await service.login('operator@example.com')
    const path = `/api/v1/Transaction/${encodeURIComponent(reference)}`
    const { data } = await service.call('GET', path, { token: accessToken })
    return String(data?.state)
  })

/** Prepares the confirmation of a deposit; answers the command's id. */
async function draftOf(referenceId: string, session: Session): Promise<string> {
  const kind = kindNamed('deposit.confirm')
  if (kind === undefined) throw new Error('no such kind')
  const params = { referenceId, bankReference: `ATL ${randomUUID()}`, statementAmount: '10' }
  const drafted = await draftCommand(session, kind, params)
  if (!drafted.ok) throw new Error(JSON.stringify(drafted))
  return drafted.draft.id
}

/** Sends what was prepared; answers what the person is told. */
async function send(id: string, session: Session): Promise<Outcome> {
  const reply = await executeCommand(session, id, { code: null, proof: null }, () => {})
  if (!reply.ok) throw new Error(JSON.stringify(reply))
  return reply.command.outcome
}

const classOf = (outcome: Outcome): string =>
  outcome.class === 'refused' ? `refused, ${outcome.sent ? 'sent' : 'not sent'}` : outcome.class

const faults: readonly (readonly [name: string, effect: unknown, outcomes: string, happens: boolean])[] = [
  ['the socket is cut before anything is done', 'drop-before', 'unknown', false],
  ['the socket is cut after all is done', 'drop-after', 'unknown', true],
  ['a success that does not parse', 'garble', 'accepted', true],
  ['accepted', 'accept-202', 'accepted', true],
  ['500', { status: 500, code: 'core::server::fail', title: 'Broken' }, 'unknown', false],
  ['502', { status: 502, code: 'core::gateway::fail', title: 'Broken' }, 'unknown', false],
  ['503', { status: 503, code: 'core::out', title: 'Out' }, 'unknown', false],
  [
    '503 without the secrets service',
    { status: 503, code: 'core::gatekeeper::grant::invalid', title: 'Out' },
    'refused, sent',
    false,
  ],
  ['429', { status: 429, code: 'core::rate', title: 'Slow down', retryAfter: 5 }, 'refused, sent', false],
  ['409', { status: 409, code: 'core::conflict', title: 'No' }, 'refused, sent', false],
]

describe(`${RUNS} times each, sent once and told for what it is:`, () => {
  test.for(faults)(
    '%s',
    { timeout: 120_000 },
    async ([_name, effect, outcomes, happens], { service, operator, confirmOne, stateOf }) => {
      const before = await service.arrived('POST', CONFIRM)
      await service.fault('POST', CONFIRM, effect, RUNS)
      for (let run = 0; run < RUNS; run += 1) {
        await makeRoomForChanges()
        const { id, reference, outcome } = await confirmOne()
        expect(classOf(outcome)).toBe(outcomes)
        if (run % (RUNS / 4) >= 1) continue
        // What is open is settled by reading, and only where the service shows the effect.
        const row = await findCommand(await store(), id)
        if (row === undefined) throw new Error('the command is gone')
        if (outcomes === 'unknown' || outcomes === 'accepted') {
          if (outcomes === 'accepted')
            await service.call('POST', '/sandbox/clock', { body: { advanceSeconds: SLOW_SECONDS } })
          let settled = await reconcileCommand(operator, row)
          while (happens && settled.command.state !== 'applied') settled = await reconcileCommand(operator, row)
          expect(settled.command.state).toBe(happens ? 'applied' : row.state)
        }
        expect(await stateOf(reference)).toBe(happens ? 'PROCESSING' : 'QUEUED')
      }
      await expect.poll(() => service.arrived('POST', CONFIRM)).toBe(before + RUNS)
      await service.call('DELETE', '/sandbox/faults')
    },
  )

  // It takes as long as the time-out.
  test.runIf(LONG)('no answer within the time-out', { timeout: 600_000 }, async ({ service, confirmOne }) => {
    const before = await service.arrived('POST', CONFIRM)
    await service.fault('POST', CONFIRM, { delayMs: PAST_THE_TIMEOUT_MS }, RUNS)
    const outcomes: Outcome[] = []
    while (outcomes.length < RUNS) {
      await makeRoomForChanges()
      const confirmed = await Promise.all(Array.from({ length: AT_ONCE }, () => confirmOne()))
      outcomes.push(...confirmed.map(({ outcome }) => outcome))
    }
    expect(new Set(outcomes.map(classOf))).toEqual(new Set(['unknown']))
    await expect.poll(() => service.arrived('POST', CONFIRM)).toBe(before + RUNS)
  })
})

test('nothing is sent when the last check fails', async ({ service, operator }) => {
  const kind = kindOrFail('deposit.confirm')
  onTestFinished(() => void Reflect.deleteProperty(kind, 'checkLast'))
  Object.assign(kind, { checkLast: () => Promise.reject(new Error('the store is out')) })
  const before = await service.arrived('POST', CONFIRM)
  const outcome = await send(await draftOf(await service.announceDeposit('10'), operator), operator)
  expect(outcome).toMatchObject({ class: 'refused', sent: false, title: 'The console could not check it' })
  expect(await service.arrived('POST', CONFIRM)).toBe(before)
})

describe('at once', () => {
  test('two operators confirm one deposit: one effect, and the other is told who and when', async ({
    service,
    operator,
  }) => {
    const admin = await signedIn(service, 'admin@example.com', '00000000-0000-4000-8000-000000000003')
    const reference = await service.announceDeposit('10')
    const before = await service.arrived('POST', CONFIRM)
    // Both have it before them, and then both confirm.
    const [one, other] = [await draftOf(reference, operator), await draftOf(reference, admin)]
    await service.fault('POST', CONFIRM, 'hold')
    const sends = [send(one, operator), send(other, admin)]
    const refused = await Promise.race(sends)
    expect(refused).toMatchObject({
      class: 'refused',
      title: expect.stringMatching(/(operator|admin)@example\.com sent it at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/),
    })
    await service.clearFaults()
    expect((await Promise.all(sends)).map(classOf).sort()).toEqual(['done', 'refused, not sent'])
    await expect.poll(() => service.arrived('POST', CONFIRM)).toBe(before + 1)
  })

  test('somebody who was first themselves, signed in another way, is not told another name', async ({
    service,
    operator,
  }) => {
    const reference = await service.announceDeposit('10')
    const [open, late] = [await draftOf(reference, operator), await draftOf(reference, operator)]
    await service.fault('POST', CONFIRM, 'drop-before')
    await send(open, operator)
    const method = operator.method === 'sso' ? 'password' : 'sso'
    const renamed = { actor_name: 'Olga Operator', method } as const
    await (await store()).updateTable('command').set(renamed).where('id', '=', open).execute()
    await expect(draftOf(reference, operator)).rejects.toThrow('you, with another sign-in, sent it at')
    // What is written down is read by others, too.
    const refused = await send(late, operator)
    expect(refused).toMatchObject({
      title: expect.stringContaining('the same person, with another sign-in, sent it at'),
    })
  })
})
