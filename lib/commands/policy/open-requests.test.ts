import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, vi } from 'vitest'
import { startCommand } from '#lib/commands/execute.ts'
import { withdrawCommand } from '#lib/commands/prepare.ts'
import { readCommand } from '#lib/commands/reconcile.ts'
import { insertDraft } from '#lib/commands/store.ts'
import { latestCommand } from '#lib/commands/view.ts'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { inJournal } from '#lib/journal/sequencer.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import {
  awaiting,
  bodiesOf,
  decide,
  draftDeposit,
  effectOf,
  enterReference,
  outcomeOf,
  stateOf,
  tamper,
} from '#lib/testing/approval-world.ts'
import { draftOf } from '#lib/testing/command-run.ts'
import { executeForTest } from '#lib/testing/gated-deposit.ts'
import { commandOrFail } from '#lib/testing/passed-time.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { endOpenRequests } from './approval-table.ts'
import { waitingApprovals } from './approval-view.ts'
import { askForApproval, decideApproval, draftAgain } from './approvals.ts'
import { reviewOpenRequests } from './open-requests.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'

const test = serviceTest
  .extend('rules', [{ kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, approval: { by: 1 } }])
  .extend('maker', ({ operator }) => operator)
  /** Another console confirms the deposit. */
  .extend('confirmElsewhere', ({ service }) => async (referenceId: string): Promise<void> => {
    const { accessToken: token } = await service.login('operator@example.com')
    await service.call('POST', CONFIRM, { token, body: { referenceId, bankReference: 'elsewhere' } })
  })

beforeEach(() => putPerProcess('reviewed requests', undefined))

describe('one effect has one open request', () => {
  const draftAgainOf = (referenceId: string, by: Session) =>
    draftOf(by, 'deposit.confirm', { referenceId, bankReference: randomUUID(), statementAmount: '600' })

  test('nobody prepares a second one, and everybody is led to the first', async ({ service, admin, maker }) => {
    const { id, referenceId } = await awaiting(service, maker, '600')
    for (const by of [maker, admin]) {
      expect(await draftAgainOf(referenceId, by)).toMatchObject({
        ok: false,
        fields: { referenceId: expect.stringMatching(/^This waits for approval already\. (You|operator@)/) },
        heldBy: id,
      })
    }
    await withdrawCommand(maker, id)
    expect((await draftAgainOf(referenceId, admin)).ok).toBe(true)
  })

  test('of eight that are asked for at once, one waits', async ({ service, admin, maker }) => {
    const { id, referenceId } = await draftDeposit(service, maker, '600')
    const drafts = await Promise.all(
      Array.from({ length: 7 }, (_, n) => draftAgainOf(referenceId, n % 2 ? maker : admin)),
    )
    const others = drafts.map((reply, n) => ({ id: reply.ok ? reply.draft.id : '', by: n % 2 ? maker : admin }))
    const all = [{ id, by: maker }, ...others]
    await Promise.all(all.map(({ id, by }) => askForApproval(by, id, { reason: 'x', proof: null })))
    const states = await Promise.all(all.map(({ id }) => stateOf(id)))
    expect(states.filter((state) => state === 'awaiting_approval')).toHaveLength(1)
    const refused = await outcomeOf(all[states.indexOf('closed')]?.id ?? '')
    expect(refused).toMatchObject({ class: 'refused', heldBy: all[states.indexOf('awaiting_approval')]?.id })
  })

  test('it ends when another change does it', async ({ service, admin, maker }) => {
    underPolicy({ kind: 'deposit.confirm', limit: { sum: '700.00' }, approval: { by: 1 } })
    await executeForTest(maker, (await draftDeposit(service, maker, '200')).id)
    const { id, referenceId } = await draftDeposit(service, maker, '600')
    const within = await draftAgainOf(referenceId, admin)
    await askForApproval(maker, id, { reason: 'x', proof: null })
    expect(await stateOf(id)).toBe('awaiting_approval')
    const other = within.ok ? within.draft.id : ''
    expect((await executeForTest(admin, other)).command.outcome.class).toBe('done')
    expect(await outcomeOf(id)).toMatchObject({ title: 'Another change did this', heldBy: other })
    expect((await waitingApprovals(maker)).endedUnsent).toMatchObject([{ id }])
    expect((await verifyJournal(await store(), config())).faults).toEqual([])
  })

  test('it is no news to an author whose other change did it', async ({ service, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    const { keys } = await (await store()).selectFrom('approval_request').select('keys').executeTakeFirstOrThrow()
    const done = { ...(await commandOrFail(id)), id: randomUUID() }
    await inJournal(await store(), (trx) => endOpenRequests(trx, done, keys, 'Confirm it'))
    expect([await stateOf(id), (await waitingApprovals(maker)).endedUnsent]).toEqual(['closed', []])
  })

  test('its object shows it to whoever may see it', async ({ service, admin, maker }) => {
    const { id, referenceId } = await awaiting(service, maker, '600')
    const shownTo = (session: Session) => latestCommand(session, 'deposit.confirm', referenceId)
    expect(await shownTo(maker)).toMatchObject({ id, yours: true, outcome: { class: 'approval', needed: 1 } })
    expect(await shownTo(admin)).toMatchObject({ id, yours: false, actorName: 'operator@example.com' })
    expect(await shownTo(await signedIn(service, 'arbitrator@example.com', userIdOf('2')))).toBeNull()
    await decide(admin, id, false, 'No notice of the bank.')
    expect(await shownTo(maker)).toMatchObject({
      outcome: { title: 'admin@example.com declined it' },
      mayAskAgain: true,
    })
    expect(await shownTo(admin)).toBeNull()
  })

  test('one that ended is asked for again with its reason', async ({ service, admin, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    expect(await draftAgain(maker, id)).toBeNull()
    await decide(admin, id, false, 'No notice of the bank.')
    expect(await draftAgain(admin, id)).toBeNull()
    expect(await draftAgain(maker, id)).toMatchObject({
      ok: true,
      draft: { title: 'Confirm deposit of 600.00 BZD', approval: { reason: 'On the statement of today' } },
    })
  })
})

describe('a request ends', () => {
  test('when its facts have moved at the moment of approval', async ({ service, admin, maker, confirmElsewhere }) => {
    const { id, referenceId } = await awaiting(service, maker, '600')
    await confirmElsewhere(referenceId)
    expect(await decideApproval(admin, id, { approves: true, effect: await effectOf(id), reason: '' })).toMatchObject({
      ok: true,
      notice: expect.stringContaining('Your approval was not recorded'),
    })
    expect((await outcomeOf(id)).class).toBe('changed')
    expect((await waitingApprovals(maker)).endedUnsent).toMatchObject([{ id }])
    expect((await bodiesOf(id)).filter(({ decision }) => decision !== undefined)).toEqual([])
  })

  test('and may be asked for again at once, also when sent', async ({ service, admin, maker, confirmElsewhere }) => {
    const { id, referenceId } = await awaiting(service, maker, '600')
    await confirmElsewhere(referenceId)
    expect(await readCommand(maker, id, false)).toMatchObject({ command: { mayAskAgain: true, yours: true } })
    expect((await waitingApprovals(maker)).endedUnsent).toEqual([])
    const second = await awaiting(service, maker, '700')
    await decide(admin, second.id)
    await confirmElsewhere(second.referenceId)
    const sent = await executeForTest(maker, second.id)
    expect(sent.command).toMatchObject({ outcome: { class: 'changed' }, mayAskAgain: true, yours: true })
  })

  test('not when the facts cannot be read, and nothing is recorded', async ({ service, admin, maker }) => {
    const { id, referenceId } = await awaiting(service, maker, '600')
    await service.fault('GET', '/api/v1/Transaction/{referenceId}', { status: 503 }, 9)
    const approving = { approves: true, effect: await effectOf(id), reason: '' }
    expect(await decideApproval(admin, id, approving)).toMatchObject({ ok: false, problem: { status: 409 } })
    await service.clearFaults()
    expect([await stateOf(id), referenceId.length > 0]).toEqual(['awaiting_approval', true])
    expect((await decide(admin, id)).ok).toBe(true)
  })

  test('by itself once somebody who is here can read that its facts moved', async ({
    service,
    admin,
    maker,
    confirmElsewhere,
  }) => {
    const { id, referenceId } = await awaiting(service, maker, '600')
    await reviewOpenRequests(new Set([admin]))
    expect(await stateOf(id)).toBe('awaiting_approval')
    await confirmElsewhere(referenceId)
    putPerProcess('reviewed requests', undefined)
    await reviewOpenRequests(new Set([await signedIn(service, 'arbitrator@example.com', userIdOf('2'))]))
    expect(await stateOf(id)).toBe('awaiting_approval')
    putPerProcess('reviewed requests', undefined)
    await reviewOpenRequests(new Set([admin]))
    expect((await outcomeOf(id)).class).toBe('changed')
    expect((await waitingApprovals(maker)).endedUnsent).toMatchObject([{ id }])
  })

  test('by itself, also the newest of many', async ({ service, admin, maker, confirmElsewhere }) => {
    for (let n = 0; n < 9; n += 1) await awaiting(service, maker, '600')
    const { id, referenceId } = await awaiting(service, maker, '600')
    await confirmElsewhere(referenceId)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    onTestFinished(() => void vi.useRealTimers())
    for (let round = 0; round < 4; round += 1) {
      await reviewOpenRequests(new Set([admin]))
      vi.setSystemTime(Date.now() + 12_000)
    }
    expect((await outcomeOf(id)).class).toBe('changed')
  })

  test('by itself once its author may no longer send it', async ({ service, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    const scopes = new Set(['core:transactions:read'])
    const known = { access: { roles: [], scopes }, until: Number.POSITIVE_INFINITY }
    putPerProcess('scopes', { get: () => known, set: () => undefined, has: () => true, delete: () => true })
    await reviewOpenRequests(new Set([maker]))
    putPerProcess('scopes', undefined)
    expect(await outcomeOf(id)).toMatchObject({ title: 'Its author may no longer make this change' })
    expect((await waitingApprovals(maker)).endedUnsent).toMatchObject([{ id }])
  })
})

test('prepares a request again only with its scope', async ({ service, admin, maker }) => {
  const { id } = await awaiting(service, maker, '600')
  await decide(admin, id, false, 'No notice of the bank.')
  const known = { access: { roles: [], scopes: new Set(['core:transactions:read']) }, until: Number.POSITIVE_INFINITY }
  putPerProcess('scopes', { get: () => known, set: () => undefined, has: () => true, delete: () => true })
  expect(await draftAgain(maker, id)).toMatchObject({
    ok: false,
    problem: { status: 403, scope: 'core:transactions:confirm' },
  })
  putPerProcess('scopes', undefined)
})

test('keeps approvals while another change holds its key', async ({ service, admin, maker }) => {
  const { id, referenceId } = await awaiting(service, maker, '600')
  await decide(admin, id)
  const [db, other] = [await store(), randomUUID()]
  const of = { id: other, kind: 'totp.enrol', actor: 'sso:9', actorName: 'nine', target: referenceId }
  await insertDraft(db, { ...of, params: '{}', facts: '{}' })
  expect((await startCommand(db, other, [{ key: `deposit:${referenceId}`, permanent: false }])).ok).toBe(true)
  expect((await executeForTest(maker, id)).command.outcome.class).toBe('refused')
  expect(await stateOf(id)).toBe('awaiting_approval')
})

test('refuses who entered data after its record is gone', async ({ service, admin, maker }) => {
  const { id, referenceId } = await draftDeposit(service, maker, '600')
  await enterReference(service, maker, admin, referenceId)
  await askForApproval(maker, id, { reason: 'On the statement of today', proof: null })
  await tamper(sql`DELETE FROM entered_reference`)
  expect(await decide(admin, id)).toMatchObject({ ok: false, problem: { title: expect.stringContaining('entered') } })
})
