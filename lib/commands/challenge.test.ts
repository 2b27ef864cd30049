import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dropGrant, grantOf, Session, saveGrant, verifiedUntil } from '#lib/session/session.ts'
import { replaceHandle } from '#lib/session/vault/handle-table.ts'
import { onCommit, store } from '#lib/store/store.ts'
import {
  CODE_INVALID,
  CONFIRM,
  CONFIRMED,
  type Deposit,
  draftConfirmation,
  ENROLLED,
  executeForTest,
  gateConfirming,
  granted,
  locked,
  newDeposit,
  REQUIRED,
  STATUS,
  scriptGoodDay,
  VERIFY,
} from '#lib/testing/gated-deposit.ts'
import { ok, ScriptedService } from '#lib/testing/scripted-service.ts'
import { freshConsole } from '#lib/testing/test-console.ts'
import { openForTest, signInForTest } from '#lib/testing/test-sessions.ts'
import { executeCommand } from './execute.ts'
import { holderOf } from './locks.ts'
import { maintain } from './maintenance.ts'
import { endExpiredDraft, withdrawCommand } from './prepare.ts'
import { readCommand } from './reconcile.ts'
import { isBeingSent } from './send.ts'
import { findCommand } from './store.ts'

const CODE = '111111'

let service: ScriptedService
let session: Session
let deposit: Deposit

beforeAll(async () => {
  service = await ScriptedService.start()
})
beforeEach(async () => {
  service.reset()
  await freshConsole({ CORE_API_URL: service.url })
  gateConfirming('always', false)
  session = await openForTest(await signInForTest())
  deposit = newDeposit()
  scriptGoodDay(service, deposit)
  service.on(CONFIRM, REQUIRED, CONFIRMED)
})
afterEach(() => gateConfirming('never', false))
afterAll(() => service.stop())

/** A confirmation that the service wants a code for. */
async function challenged(): Promise<string> {
  const id = await draftConfirmation(session, deposit)
  expect((await executeForTest(session, id)).command.outcome).toMatchObject({ class: 'step-up', need: 'code' })
  return id
}

const holder = async () => holderOf(await store(), `deposit:${deposit.referenceId}`)
const stateOf = async (id: string) => (await findCommand(await store(), id))?.state

test('holds locks while waiting for a code, frees on withdrawal', async () => {
  const id = await challenged()
  expect(await holder()).toMatchObject({ commandId: id, state: 'challenged' })
  expect(await withdrawCommand(session, id)).toMatchObject({ command: { outcome: { class: 'cancelled' } } })
  expect(await holder()).toBeNull()
  expect((await executeForTest(session, id, CODE)).command.outcome.class).toBe('cancelled')
  expect([service.of(CONFIRM).length, service.of(VERIFY).length]).toEqual([1, 0])
})

test('one that has waited for ten minutes ends by itself, not before, and frees its keys', async () => {
  const id = await challenged()
  const age = async (minutes: number) => {
    const sentAt = new Date(Date.now() - minutes * 60_000).toISOString()
    await (await store()).updateTable('command').set({ sent_at: sentAt }).where('id', '=', id).execute()
    await maintain()
    return await stateOf(id)
  }
  expect(await age(9)).toBe('challenged')
  expect(await age(10.1)).toBe('refused')
  expect(await holder()).toBeNull()
  expect((await executeForTest(session, id, CODE)).command.outcome).toMatchObject({ class: 'refused' })
  expect([service.of(CONFIRM).length, service.of(VERIFY).length]).toEqual([1, 0])
})

test('spends one code once when two tabs send it', async () => {
  const handle = await signInForTest()
  session = await openForTest(handle)
  const id = await challenged()
  service.on(VERIFY, granted('grant-1'), CODE_INVALID)
  const tabs = [await openForTest(handle), await openForTest(handle)]
  const replies = tabs.map((tab) => executeForTest(tab, id, CODE))
  // The other tab is answered first, also if it comes much later.
  service.before = async (what) => {
    if (what === CONFIRM) await Promise.race(replies)
  }
  const outcomes = (await Promise.all(replies)).map(({ command }) => command.outcome)
  const other = outcomes.find((outcome) => outcome.class !== 'done')
  expect(outcomes.map((outcome) => outcome.class)).toContain('done')
  if (other?.class !== 'sending') {
    expect(other).toMatchObject({ need: 'later', title: 'Your session was renewed in another tab' })
  }
  expect(service.of(VERIFY)).toHaveLength(1)
  expect(service.of(CONFIRM).map(({ grant }) => grant)).toEqual([null, 'grant-1'])
  const browser = Session.newHandleOf(tabs.find((tab) => Session.newHandleOf(tab) !== null)!) ?? ''
  expect((await executeForTest(await openForTest(browser), id)).command.outcome.class).toBe('done')
})

describe('a thief with the cookie of somebody who verifies', () => {
  let [victim, stolen] = ['', '']

  beforeEach(async () => {
    const handle = await signInForTest()
    session = await openForTest(handle)
    victim = await challenged()
    const other = newDeposit()
    service.on(other.read, other.in('QUEUED'))
    service.on(CONFIRM, CONFIRMED)
    stolen = await draftConfirmation(await openForTest(handle), other)
    gateConfirming('always', true)
    /** Tries with a request that was opened before the code, and with one that is opened now. */
    const opened = await openForTest(handle)
    const steal = async () => {
      for (const thief of [opened, await openForTest(handle)]) {
        for (const code of [null, '222222']) {
          const { command } = await executeForTest(thief, stolen, code)
          expect(command.outcome).toMatchObject({ class: 'step-up' })
          expect(Session.newHandleOf(thief)).toBeNull()
        }
      }
    }
    service.before = async (what) => {
      if (what !== CONFIRM) return
      service.before = async () => {}
      await steal()
    }
    expect((await executeForTest(session, victim, CODE)).command.outcome.class).toBe('done')
    await steal()
  })

  test('sends nothing, while the change is under way or later', async () => {
    expect(service.of(CONFIRM).map(({ grant }) => grant)).toEqual([null, 'grant-1'])
    expect(await stateOf(stolen)).toBe('draft')
  })

  test('tries no code at the service', () => {
    expect(service.of(VERIFY).map(({ body }) => body)).toEqual([{ code: CODE }])
  })

  test('leaves the new cookie verified', async () => {
    const renewed = await openForTest(Session.newHandleOf(session) ?? '')
    expect((await executeForTest(renewed, stolen)).command.outcome.class).toBe('done')
    expect(service.of(VERIFY)).toHaveLength(1)
  })
})

test('sends nothing when the session cannot be renewed', async () => {
  const id = await challenged()
  service.before = async (what) => {
    if (what !== VERIFY) return
    const [old] = await (await store()).selectFrom('session_handle').selectAll().execute()
    await replaceHandle(await store(), old!.id_hash, new Date(Date.now() + 30_000).toISOString(), {
      ...old!,
      id_hash: 'of another process',
    })
  }
  expect((await executeForTest(session, id, CODE)).command.outcome).toMatchObject({
    need: 'later',
    title: 'The code was accepted, but your session could not be renewed',
  })
  expect([service.of(CONFIRM).length, grantOf(session)]).toEqual([1, null])
})

test('two tabs with two wrong codes use up two of three tries', async () => {
  const id = await challenged()
  service.on(VERIFY, CODE_INVALID)
  await Promise.all([1, 2].map(() => executeForTest(session, id, CODE)))
  expect((await executeForTest(session, id, CODE)).command.outcome).toMatchObject({ class: 'refused' })
  expect(service.of(VERIFY)).toHaveLength(3)
})

test('ends at the next rejected code when its end failed', async () => {
  const [id, db] = [await challenged(), await store()]
  service.on(VERIFY, CODE_INVALID)
  for (const code of [CODE, CODE]) await executeForTest(session, id, code)
  service.before = async (what) => {
    if (what === VERIFY) await sql`ALTER TABLE command_event RENAME TO command_event_away`.execute(db)
  }
  const failed = await executeForTest(session, id, CODE).catch((error: unknown) => error)
  service.before = async () => {}
  await sql`ALTER TABLE command_event_away RENAME TO command_event`.execute(db)
  expect(failed).toBeInstanceOf(Error)
  expect((await executeForTest(session, id, CODE)).command.outcome).toMatchObject({ class: 'refused' })
  expect(service.of(VERIFY)).toHaveLength(4)
})

test('of twenty who go on at once while a grant lives, one sends, and no code is spent', async () => {
  const id = await challenged()
  saveGrant(session, 'grant-9', new Date(Date.now() + 300_000).toISOString())
  await Promise.all(Array.from({ length: 20 }, () => executeForTest(session, id, CODE)))
  expect(service.of(CONFIRM).map(({ grant }) => grant)).toEqual([null, 'grant-9'])
  expect(service.of(VERIFY)).toHaveLength(0)
})

test('taken back while its code is being checked, it is not sent', async () => {
  const id = await challenged()
  service.before = async (what) => {
    if (what === VERIFY) await withdrawCommand(session, id)
  }
  expect((await executeForTest(session, id, CODE)).command.outcome.class).toBe('cancelled')
  expect(service.of(CONFIRM)).toHaveLength(1)
})

test('a challenge that arrives late takes away no grant that came meanwhile', async () => {
  const id = await draftConfirmation(session, deposit)
  service.before = async (what) => {
    if (what === CONFIRM) saveGrant(session, 'grant-9', new Date(Date.now() + 300_000).toISOString())
  }
  expect((await executeForTest(session, id)).command.outcome).toMatchObject({ class: 'step-up' })
  expect(grantOf(session)).toBe('grant-9')
})

test('a grant past its end is none', async () => {
  const id = await challenged()
  saveGrant(session, 'grant-9', new Date(Date.now() - 1).toISOString())
  expect((await executeForTest(session, id)).command.outcome).toMatchObject({ class: 'step-up', need: 'code' })
  expect([service.of(CONFIRM).length, verifiedUntil(session)]).toEqual([1, null])
})

test('a grant that ends while the facts are read is asked for anew, and the repeat is not wasted', async () => {
  const id = await challenged()
  saveGrant(session, 'grant-9', new Date(Date.now() + 300_000).toISOString())
  service.before = async (what) => {
    if (what === deposit.read) dropGrant(session.id)
  }
  expect((await executeForTest(session, id)).command.outcome).toMatchObject({ class: 'step-up', need: 'code' })
  expect(service.of(CONFIRM)).toHaveLength(1)
})

test('shows a lock after the code that locked', async () => {
  const id = await challenged()
  service.on(VERIFY, CODE_INVALID)
  service.on(STATUS, ENROLLED, locked())
  const { command } = await executeForTest(session, id, CODE)
  expect(command.outcome).toMatchObject({ rejected: true, triesLeft: 2, lockedSeconds: expect.closeTo(300, -1) })
})

test('shows a lock at once, and sends no code until it ends', async () => {
  service.on(STATUS, locked())
  const id = await draftConfirmation(session, deposit)
  const shown = { need: 'code', rejected: false, triesLeft: 3, lockedSeconds: expect.closeTo(300, -1) }
  for (const code of [null, CODE])
    expect((await executeForTest(session, id, code)).command.outcome).toMatchObject(shown)
  expect(service.of(VERIFY)).toHaveLength(0)
})

test('nobody answers somebody else’s challenge, and whoever looks learns whose it is', async () => {
  const id = await challenged()
  const other = await openForTest(await signInForTest({ actor: 'sso:2', userId: '2' }))
  const reply = await executeCommand(other, id, { code: CODE, proof: null }, () => {})
  expect(reply.ok).toBe(false)
  expect(service.of(VERIFY)).toHaveLength(0)
  service.on('GET /api/v1/Users/2/scopes', ok({ roles: [], scopes: ['transactions:confirm'] }))
  expect(await readCommand(other, id, false)).toMatchObject({ command: { yours: false } })
  expect(await readCommand(session, id, false)).toMatchObject({ command: { yours: true } })
})

test('tells the bar when a grant begins and ends', async () => {
  const id = await challenged()
  service.on(VERIFY, CODE_INVALID, granted('grant-1'))
  expect(await executeForTest(session, id, CODE)).not.toHaveProperty('verifiedUntil')
  expect(await executeForTest(session, id, CODE)).toMatchObject({ verifiedUntil: verifiedUntil(session) })
  const next = newDeposit()
  scriptGoodDay(service, next)
  expect(await executeForTest(session, await draftConfirmation(session, next))).not.toHaveProperty('verifiedUntil')
  const third = newDeposit()
  scriptGoodDay(service, third)
  service.on(CONFIRM, REQUIRED)
  expect(await executeForTest(session, await draftConfirmation(session, third))).toMatchObject({ verifiedUntil: null })
})

describe.each([
  ['behind', -3_660_000],
  ['ahead', 3_660_000],
])('a service whose clock is an hour %s', (_how, skew) => {
  const there = (seconds: number) => new Date(Date.now() + skew + seconds * 1000)

  test('gives a grant that lives as long as it says', async () => {
    const id = await challenged()
    const grant = { token: 'grant-1', expiresAt: there(300).toISOString() }
    service.on(VERIFY, { status: 200, body: { data: grant }, date: there(0) })
    const { command, verifiedUntil: until } = await executeForTest(session, id, CODE)
    expect(command.outcome.class).toBe('done')
    expect(service.of(CONFIRM).map((request) => request.grant)).toEqual([null, 'grant-1'])
    expect((Date.parse(until ?? '') - Date.now()) / 1000).toBeCloseTo(300, -1)
  })

  test('locks codes for as long as it says', async () => {
    const status = { enrolled: true, enrolledAt: '2026-01-01T00:00:00Z', lockedUntil: there(25).toISOString() }
    service.on(STATUS, { status: 200, body: { data: status }, date: there(0) })
    const { command } = await executeForTest(session, await draftConfirmation(session, deposit))
    const left = command.outcome.class === 'step-up' ? command.outcome.lockedSeconds : null
    expect(Math.abs((left ?? 0) - 25)).toBeLessThan(3)
  })
})

test('neither the code nor the grant is in the journal', async () => {
  const id = await challenged()
  service.on(VERIFY, granted('canary-grant'))
  await executeForTest(session, id, '907813')
  const db = await store()
  const kept = [
    await db.selectFrom('command').selectAll().where('id', '=', id).execute(),
    await db.selectFrom('command_event').selectAll().where('command_id', '=', id).execute(),
  ]
  expect(kept[1]?.length).toBeGreaterThan(3)
  expect(JSON.stringify(kept)).not.toMatch(/907813|canary-grant/)
})

test('keeps waiting for a code while the facts are unreadable', async () => {
  const id = await challenged()
  service.on(deposit.read, { status: 500, body: {} })
  expect((await executeForTest(session, id, CODE)).command.outcome).toMatchObject({ class: 'step-up', need: 'later' })
  expect(await stateOf(id)).toBe('challenged')
})

test('an expiry of the draft does not end its challenge', async () => {
  const id = await draftConfirmation(session, deposit)
  const draft = await findCommand(await store(), id)
  await executeForTest(session, id)
  await endExpiredDraft(draft!)
  expect(await stateOf(id)).toBe('challenged')
})

test('registers a send before its state says so', async () => {
  gateConfirming('never', false)
  service.on(CONFIRM, CONFIRMED)
  const id = await draftConfirmation(session, deposit)
  let isHeld = false
  const stop = onCommit(() => {
    isHeld = isBeingSent(id)
  })
  const atArrival: boolean[] = []
  service.before = async (what) => {
    if (what === CONFIRM) atArrival.push(isHeld)
  }
  await executeForTest(session, id)
  stop()
  expect(atArrival).toEqual([true])
})
