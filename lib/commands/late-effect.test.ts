import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { activityPage } from '#lib/activity/activity.ts'
import { ALL_ACTIVITY } from '#lib/activity/activity-filter.ts'
import { openChanges } from '#lib/activity/open-changes.ts'
import { log } from '#lib/config/log.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { findEvents } from '#lib/journal/event.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf } from '#lib/testing/command-run.ts'
import { CONFIRM, CONFIRMED, type Deposit, executeForTest, newDeposit } from '#lib/testing/gated-deposit.ts'
import { commandOrFail, sentSecondsAgo } from '#lib/testing/passed-time.ts'
import { ok, refused, ScriptedService } from '#lib/testing/scripted-service.ts'
import { signedIn } from '#lib/testing/signed-in.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { holderOf } from './locks.ts'
import { countChangesNeedingAttention } from './queries.ts'
import { readCommand, reconcileCommand, resumeOpenCommands, resumeOpenCommandsFor } from './reconcile.ts'
import { watches } from './reconcile-schedule.ts'
import { recordOutcome } from './send.ts'
import { dismissChange, freeLock } from './settle.ts'
import { moveCommand } from './store.ts'
import { acceptedOutcome, viewOf } from './view.ts'

const SCOPES = 'GET /api/v1/Users/1/scopes'

const forget = (...names: readonly string[]): void => {
  for (const name of names) putPerProcess(name, undefined)
}

let service: ScriptedService
let operator: Session
let deposit: Deposit
let bankReference: string

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  // Nothing looks by itself here: the tests decide when.
  watches().clear()
  forget('resumed sessions', 'resumed commands', 'scopes')
  service.on(SCOPES, ok({ roles: [], scopes: ['transactions:read', 'transactions:confirm'] }))
  operator = await signedIn(0)
  deposit = newDeposit()
  bankReference = `ATL ${randomUUID()}`
  service.on(deposit.read, deposit.in('QUEUED'))
})
afterAll(() => service.stop())

const bankKey = () => `bank:${bankReference.toUpperCase()}`

async function draftFor({ referenceId }: Deposit, reference = bankReference) {
  return await draftOf(operator, 'deposit.confirm', { referenceId, bankReference: reference, statementAmount: '250' })
}

/** Confirms the deposit, and no answer comes. Answers the command's id. */
async function lostConfirmation(of = deposit): Promise<string> {
  service.on(CONFIRM, 'drop')
  const drafted = await draftFor(of)
  if (!drafted.ok) throw new Error(JSON.stringify(drafted))
  expect((await executeForTest(operator, drafted.draft.id)).command.outcome.class).toBe('unknown')
  return drafted.draft.id
}

async function notSeen(): Promise<string> {
  const id = await lostConfirmation()
  await reconcileCommand(operator, await sentSecondsAgo(id, 121))
  return id
}

test('two minutes without an effect are no certainty: it is told so, and the bank’s reference stays taken', async () => {
  const id = await notSeen()
  const row = await commandOrFail(id)
  expect(row.state).toBe('not_applied')
  expect(viewOf(row).outcome).toMatchObject({
    ...{ class: 'no-effect', title: 'No effect found after two minutes' },
    advice: expect.stringMatching(/done again, freed or dismissed.* until 24 hours after sending/),
  })
  expect(await holderOf(await store(), bankKey())).toMatchObject({ commandId: id })
  expect(await holderOf(await store(), `deposit:${deposit.referenceId}`)).toBeNull()
  // Another deposit does not get it, and the next operator is told where it can be freed.
  const other = newDeposit()
  service.on(other.read, other.in('QUEUED'))
  expect(await draftFor(other)).toMatchObject({
    ok: false,
    heldBy: id,
    fields: { bankReference: expect.stringContaining('Its lock can be freed on its page') },
  })
})

test('the same deposit may be confirmed anew with its own reference; a refusal does not free it', async () => {
  const first = await notSeen()
  const again = async () => {
    const drafted = await draftFor(deposit)
    if (!drafted.ok) throw new Error(JSON.stringify(drafted))
    return await executeForTest(operator, drafted.draft.id)
  }
  service.on(CONFIRM, refused(400, 'core::deposit::not_queued'))
  expect((await again()).command.outcome.class).toBe('refused')
  expect(await holderOf(await store(), bankKey())).toMatchObject({ commandId: first })

  service.on(CONFIRM, CONFIRMED)
  const second = await again()
  expect(second.command.outcome.class).toBe('done')
  expect(await holderOf(await store(), bankKey())).toMatchObject({ commandId: second.command.id })
  // What shows now is the second one's: the first is not told as late.
  service.on(deposit.read, deposit.in('PROCESSING'))
  await reconcileCommand(operator, await commandOrFail(first))
  expect((await commandOrFail(first)).state).toBe('not_applied')
})

test('one that was accepted since it was read stays accepted', async () => {
  const id = await lostConfirmation()
  const stale = await sentSecondsAgo(id, 121)
  await recordOutcome(stale, { state: 'accepted', outcome: acceptedOutcome('under-way'), note: {} }, null, () => {})
  expect((await reconcileCommand(operator, stale)).command.state).toBe('accepted')
})

describe('an effect that shows later', () => {
  test('reopens the command, keeps what is for ever, shows on Home and logs an alarm', async () => {
    const id = await notSeen()
    service.on(deposit.read, deposit.in('PROCESSING'))
    const alarm = vi.spyOn(log(), 'error')
    await reconcileCommand(operator, await sentSecondsAgo(id, 150))
    const row = await commandOrFail(id)
    expect(row.state).toBe('applied')
    expect(viewOf(row).outcome).toMatchObject({ class: 'done', late: true })
    expect(await holderOf(await store(), bankKey())).toMatchObject({ commandId: id })
    expect((await openChanges(operator)).late.map((command) => command.id)).toEqual([id])
    expect(alarm).toHaveBeenCalledWith(expect.objectContaining({ event: 'late-effect', id }), expect.anything())
    const states = (await findEvents(await store(), id)).map(({ state }) => state)
    expect(states).toEqual(['draft', 'sent', 'unknown', 'not_applied', 'applied'])
  })

  test('is found by whoever may look after a restart, until a day is over', async () => {
    const id = await notSeen()
    watches().clear()
    forget('resumed sessions', 'resumed commands')
    await resumeOpenCommands(operator)
    expect(watches().has(id)).toBe(true)
  })

  test('goes on with any of those who have a page open', async () => {
    const id = await notSeen()
    watches().clear()
    forget('resumed sessions', 'resumed commands')
    await resumeOpenCommandsFor(new Set([operator]))
    expect(watches().has(id)).toBe(true)
  })

  test('takes again what a person had freed', async () => {
    const id = await notSeen()
    await freeLock(operator, id, 'The bank has taken the payment back.')
    expect(await holderOf(await store(), bankKey())).toBeNull()
    service.on(deposit.read, deposit.in('PROCESSED'))
    await reconcileCommand(operator, await commandOrFail(id))
    expect(await holderOf(await store(), bankKey())).toMatchObject({ commandId: id })
  })
})

describe('a change without a visible effect needs attention', () => {
  const unhandled = async () => (await openChanges(operator)).unhandled.map((command) => command.id)

  test('as long as nobody handles it', async () => {
    const id = await notSeen()
    await sentSecondsAgo(id, 7 * 86_400)
    await reconcileCommand(operator, await commandOrFail(id))
    expect(await unhandled()).toEqual([id])
    expect(await readCommand(operator, id, false)).toMatchObject({ command: { dismissible: true } })
    expect(await countChangesNeedingAttention(await store())).toBe(1)
  })

  test('until the same change takes effect', async () => {
    const id = await notSeen()
    service.on(CONFIRM, refused(400, 'core::deposit::not_queued'))
    const again = async () => {
      const drafted = await draftFor(deposit)
      if (!drafted.ok) throw new Error(JSON.stringify(drafted))
      return (await executeForTest(operator, drafted.draft.id)).command.outcome.class
    }
    expect(await again()).toBe('refused')
    expect(await unhandled()).toEqual([id])
    service.on(CONFIRM, CONFIRMED)
    expect(await again()).toBe('done')
    expect(await unhandled()).toEqual([])
  })

  test('not because another deposit was confirmed', async () => {
    const id = await notSeen()
    const other = newDeposit()
    service.on(other.read, other.in('QUEUED'))
    service.on(CONFIRM, CONFIRMED)
    const drafted = await draftFor(other, `ATL ${randomUUID()}`)
    if (!drafted.ok) throw new Error(JSON.stringify(drafted))
    await executeForTest(operator, drafted.draft.id)
    expect(await unhandled()).toEqual([id])
  })

  test('until it is done again, freed or dismissed', async () => {
    const id = await notSeen()
    service.on(deposit.read, deposit.in('PENDING'))
    await freeLock(operator, id, 'I think so.')
    expect(await unhandled()).toEqual([id])
    service.on(deposit.read, deposit.in('QUEUED'))
    await freeLock(operator, id, 'The bank has taken the payment back.')
    expect(await unhandled()).toEqual([])
  })

  test('until somebody dismisses it, journaled with name and reason', async () => {
    const id = await notSeen()
    expect(await dismissChange(operator, id, 'The payer withdrew it.')).toMatchObject({
      command: { dismissible: false, outcome: { class: 'no-effect' } },
    })
    await dismissChange(operator, id, 'Twice.')
    expect(await unhandled()).toEqual([])
    expect(await holderOf(await store(), bankKey())).toMatchObject({ commandId: id })
    const notes = (await findEvents(await store(), id)).map(({ body }) => JSON.parse(body))
    expect(notes.filter(({ dismissed }) => dismissed)).toMatchObject([
      { by: operator.actor, byName: operator.displayName, why: 'The payer withdrew it.' },
    ])
  })

  test('and again alarms when it takes effect after it was dismissed', async () => {
    const id = await notSeen()
    await dismissChange(operator, id, 'The payer withdrew it.')
    service.on(deposit.read, deposit.in('PROCESSING'))
    await reconcileCommand(operator, await sentSecondsAgo(id, 150))
    expect((await openChanges(operator)).late.map((command) => command.id)).toEqual([id])
  })

  test('also one that failed while its bank reference stays locked', async () => {
    const id = await lostConfirmation()
    service.on(deposit.read, deposit.in('FAIL'))
    await reconcileCommand(operator, await commandOrFail(id))
    expect((await commandOrFail(id)).state).toBe('not_applied')
    expect(await unhandled()).toEqual([id])
  })

  test('not if it took effect during the read', async () => {
    const id = await notSeen()
    service.before = async (what) => {
      if (what === deposit.read) await moveCommand(await store(), id, { from: ['not_applied'], to: 'applied' })
    }
    await freeLock(operator, id, 'I think so.')
    expect(await holderOf(await store(), bankKey())).toMatchObject({ commandId: id })
  })

  test.each([
    ['without the scope of confirming', ok({ roles: [], scopes: ['transactions:read'] })],
    ['whose scopes cannot be read', refused(500, 'core::fault')],
  ])('and is not dismissed by somebody %s', async (_who, scopes) => {
    const id = await notSeen()
    forget('scopes')
    service.on(SCOPES, scopes)
    expect((await dismissChange(operator, id, 'I think so.')).ok).toBe(false)
    expect((await commandOrFail(id)).handled_at).toBeNull()
  })

  test('and a change that took effect is not dismissed', async () => {
    const id = await lostConfirmation()
    service.on(deposit.read, deposit.in('PROCESSING'))
    await reconcileCommand(operator, await commandOrFail(id))
    await dismissChange(operator, id, 'I think so.')
    expect(await commandOrFail(id)).toMatchObject({ state: 'applied', handled_at: null })
  })
})

test.each([
  ['without proof', 200, 600, 0],
  ['without proof', 200, 661, 1],
  ['under way', 202, 661, 0],
  ['under way', 202, 86_461, 1],
])('accepted %s (%i): after %i seconds, %i need attention', async (_answer, status, seconds, count) => {
  service.on(CONFIRM, ok({}, status))
  const drafted = await draftFor(deposit)
  if (!drafted.ok) throw new Error(JSON.stringify(drafted))
  const { id } = (await executeForTest(operator, drafted.draft.id)).command
  expect((await sentSecondsAgo(id, seconds)).state).toBe('accepted')
  const found = await activityPage(operator, { ...ALL_ACTIVITY, outcome: 'attention' }, { page: 1, size: 20 })
  const byHand = (await openChanges(operator)).seen.filter(({ settledByHand }) => settledByHand)
  const counted = await countChangesNeedingAttention(await store())
  expect([byHand.length, counted, found.total]).toEqual([count, count, count])
})

describe('a person frees the reference', () => {
  test('with a reason, after a look, and the journal has it', async () => {
    const id = await notSeen()
    const reply = await freeLock(operator, id, 'The bank has taken the payment back.')
    expect(reply).toMatchObject({ ok: true, command: { outcome: { class: 'no-effect' } } })
    expect(await holderOf(await store(), bankKey())).toBeNull()
    const last = (await findEvents(await store(), id)).at(-1)
    expect(JSON.parse(last?.body ?? '{}')).toMatchObject({
      freed: [bankKey()],
      by: operator.actor,
      why: 'The bank has taken the payment back.',
    })
  })

  test('once the deposit has failed for good', async () => {
    const id = await lostConfirmation()
    service.on(deposit.read, deposit.in('FAIL'))
    await reconcileCommand(operator, await commandOrFail(id))
    await freeLock(operator, id, 'The payer announced it again.')
    expect(await holderOf(await store(), bankKey())).toBeNull()
    expect((await openChanges(operator)).unhandled).toEqual([])
  })

  test.each([
    ['PROCESSING', 'It took effect after all'],
    ['PENDING', 'does not rule out an effect'],
    ['BLOCKED', 'does not rule out an effect'],
    ['ON_THE_MOON', 'does not rule out an effect'],
  ])('not while the deposit is %s', async (state, words) => {
    const id = await notSeen()
    service.on(deposit.read, deposit.in(state))
    expect(await freeLock(operator, id, 'I think so.')).toMatchObject({ notice: expect.stringContaining(words) })
    expect(await holderOf(await store(), bankKey())).toMatchObject({ commandId: id })
  })

  test('not while the service cannot be read', async () => {
    const id = await notSeen()
    service.on(deposit.read, refused(500, 'core::fault'))
    expect(await freeLock(operator, id, 'I think so.')).toMatchObject({
      notice: expect.stringContaining('until the service can be read. Try again later'),
    })
    expect(await holderOf(await store(), bankKey())).toMatchObject({ commandId: id })
  })

  test.each([
    ['without the scope of confirming', ok({ roles: [], scopes: ['transactions:read'] })],
    ['whose scopes cannot be read', refused(500, 'core::fault')],
  ])('not somebody %s', async (_who, scopes) => {
    const id = await notSeen()
    forget('scopes')
    service.on(SCOPES, scopes)
    expect((await freeLock(operator, id, 'I think so.')).ok).toBe(false)
    expect(await holderOf(await store(), bankKey())).toMatchObject({ commandId: id })
  })
})

test.each([
  ['unknown', 'done'],
  ['not_applied', 'applied'],
] as const)('records a success that arrives after it was %s', async (told, state) => {
  service.on(CONFIRM, CONFIRMED)
  const drafted = await draftFor(deposit)
  if (!drafted.ok) throw new Error(JSON.stringify(drafted))
  const { id } = drafted.draft
  service.before = async (what) => {
    const outcome = JSON.stringify({ class: 'unknown', checking: '', advice: '' })
    if (what === CONFIRM) await moveCommand(await store(), id, { from: ['sent'], to: told, outcome, keepLocks: true })
  }
  expect((await executeForTest(operator, id)).command.outcome.class).toBe('done')
  service.before = async () => {}
  expect((await commandOrFail(id)).state).toBe(state)
  expect(await holderOf(await store(), bankKey())).toMatchObject({ commandId: id })
})
