import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, vi } from 'vitest'
import { commandHistory } from '#lib/activity/history.ts'
import { executeCommand, startCommand } from '#lib/commands/execute.ts'
import type { ApprovalNeed } from '#lib/commands/kind.ts'
import { maintain } from '#lib/commands/maintenance.ts'
import { withdrawCommand } from '#lib/commands/prepare.ts'
import { findCommand, insertDraft } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { meters } from '#lib/telemetry/spans.ts'
import {
  age,
  awaiting,
  bodiesOf,
  decide,
  draftDeposit,
  effectOf,
  enterReference,
  outcomeOf,
  stateOf,
} from '#lib/testing/approval-world.ts'
import { ISSUE, NEW_CARD } from '#lib/testing/card-world.ts'
import { draftForTest, executeForTest } from '#lib/testing/gated-deposit.ts'
import { underPolicy, underPolicyText } from '#lib/testing/test-policy.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { findApprovals, findRequest, isApproved } from './approval-table.ts'
import { readApproval, waitingApprovals } from './approval-view.ts'
import { askForApproval, decideApproval, draftAgain } from './approvals.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const RULE = { kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, approval: { by: 1 } }

const test = serviceTest
  .extend('rules', [RULE])
  .extend('maker', ({ operator }) => operator)
  .extend('before', ({ service }) => service.arrived('POST', CONFIRM))
  /** How many confirmations have reached the service in this test. */
  .extend('sent', ({ service, before }) => async (): Promise<number> => {
    return (await service.arrived('POST', CONFIRM)) - before
  })

test('a change that needs an approval is sent by its author once another person has given it, and once', async ({
  service,
  admin,
  maker,
  sent,
}) => {
  const { id } = await awaiting(service, maker, '600')
  expect(await decide(admin, id)).toMatchObject({ ok: true, command: { outcome: { class: 'approval', needed: 1 } } })
  expect(await sent()).toBe(0)
  expect((await executeForTest(maker, id)).command.outcome.class).toBe('done')
  await executeForTest(maker, id)
  expect(await sent()).toBe(1)
  const effect = await effectOf(id)
  const bodies = await bodiesOf(id)
  expect(bodies.map(({ state, decision = null, by = null }) => [state, decision, by])).toEqual([
    ['draft', null, null],
    ['awaiting_approval', null, null],
    ['awaiting_approval', 'approved', admin.actor],
    ['sent', null, null],
    ['done', null, null],
  ])
  expect(bodies.every((body) => body.effect === effect)).toBe(true)
  expect((await verifyJournal(await store(), config())).faults).toEqual([])
})

test('shows of its author only kinds that the reader may see', async ({ service, admin, maker }) => {
  const [sent, waiting] = [await awaiting(service, maker, '600'), await awaiting(service, maker, '700')]
  await decide(admin, sent.id)
  await executeForTest(maker, sent.id)
  const { actor, displayName: actorName } = maker
  const own = { id: randomUUID(), kind: 'totp.enrol', actor, actorName, target: actor, params: '{}', facts: '{}' }
  await insertDraft(await store(), own)
  expect((await startCommand(await store(), own.id, [])).ok).toBe(true)
  const shownTo = async (reader: Session) => {
    const view = await readApproval(reader, waiting.id)
    return view !== null && view !== 'not-asked' ? view.moved.map(({ kind }) => kind) : view
  }
  expect(await shownTo(maker)).toEqual(['deposit.confirm', 'totp.enrol'])
  expect(await shownTo(admin)).toEqual(['deposit.confirm'])
})

test('shows approvals and declines as such in the history', async ({ service, admin, maker }) => {
  const [approved, declined] = [await awaiting(service, maker, '600'), await awaiting(service, maker, '700')]
  await decide(admin, approved.id)
  await decide(admin, declined.id, false, 'No notice of the bank.')
  const lastOf = async (id: string) => (await commandHistory(maker, id))?.events.at(-1)
  expect(await lastOf(approved.id)).toMatchObject({ state: 'approved', by: admin.displayName, notes: [] })
  expect(await lastOf(declined.id)).toMatchObject({
    state: 'declined',
    by: admin.displayName,
    notes: [['why', 'No notice of the bank.']],
  })
})

test('answers every send at once with the outcome of the change', async ({ service, admin, maker, sent }) => {
  const { id } = await awaiting(service, maker, '600')
  await decide(admin, id)
  const replies = await Promise.all(Array.from({ length: 6 }, () => executeForTest(maker, id)))
  for (const { command } of replies) expect(['done', 'sending']).toContain(command.outcome.class)
  expect([await stateOf(id), await sent()]).toEqual(['done', 1])
})

describe('nothing is sent', () => {
  test('of a draft without an approval: it ends, and the denial is on record', async ({ service, maker, sent }) => {
    const { id } = await draftDeposit(service, maker, '600')
    expect((await executeForTest(maker, id)).command.outcome).toMatchObject({ class: 'refused', sent: false })
    expect((await bodiesOf(id)).at(-1)).toMatchObject({ state: 'closed', denial: 'approval-missing' })
    expect(await sent()).toBe(0)
  })

  test('while nobody has approved it; it waits as before', async ({ service, maker, sent }) => {
    const { id } = await awaiting(service, maker, '600')
    expect((await executeForTest(maker, id)).command.outcome.class).toBe('approval')
    expect([await stateOf(id), await sent()]).toEqual(['awaiting_approval', 0])
  })

  test('by the transition itself, past all that stands before it', async ({ service, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    expect(await startCommand(await store(), id, [], 'awaiting_approval')).toMatchObject({ ok: false })
    expect(await stateOf(id)).toBe('closed')
  })

  test('once somebody declined it, with the reason told', async ({ service, admin, maker, sent }) => {
    const { id } = await awaiting(service, maker, '600')
    await decide(admin, id, false, 'The bank has booked another amount')
    expect(await outcomeOf(id)).toMatchObject({
      title: 'admin@example.com declined it',
      advice: expect.stringContaining('The bank has booked another amount'),
    })
    await executeForTest(maker, id)
    expect(await sent()).toBe(0)
    expect((await waitingApprovals(maker)).endedUnsent.map((it) => it.id)).toEqual([id])
  })

  test('after its time, whether approved or not; it ends by itself', async ({ service, admin, maker, sent }) => {
    const ask = (amount: string) => awaiting(service, maker, amount)
    const [approved, waiting, late] = [await ask('600'), await ask('601'), await ask('602')]
    for (const { id } of [approved, late]) await decide(admin, id)
    for (const { id } of [approved, waiting, late]) await age(id, 7.9)
    await maintain()
    expect(await stateOf(approved.id)).toBe('awaiting_approval')
    for (const { id } of [approved, waiting, late]) await age(id, 0.2)
    // The transition itself judges the time as well.
    expect(await startCommand(await store(), late.id, [], 'awaiting_approval')).toMatchObject({ ok: false })
    await executeForTest(maker, approved.id)
    await maintain()
    expect([await stateOf(approved.id), await stateOf(waiting.id), await sent()]).toEqual(['closed', 'closed', 0])
    for (const { id } of [waiting, late]) {
      expect(await outcomeOf(id)).toMatchObject({ title: 'The approval has expired' })
    }
    expect((await bodiesOf(late.id)).at(-1)).not.toHaveProperty('denial')
  })

  test('under another policy than the one that it was approved under', async ({ service, admin, maker, sent }) => {
    const { id } = await awaiting(service, maker, '600')
    await decide(admin, id)
    underPolicy(RULE, { kind: 'card.issue', limit: { count: 3 } })
    await executeForTest(maker, id)
    expect((await bodiesOf(id)).at(-1)).toMatchObject({ state: 'closed', denial: 'policy-changed' })
    expect([await sent(), (await waitingApprovals(maker)).endedUnsent]).toEqual([0, []])
  })

  test('of an approved card after a line feed in the policy', async ({ service, admin, maker }) => {
    const text = '{"rules":[{"kind":"card.issue","approval":{"by":1}}]}'
    underPolicyText(text)
    const id = await draftForTest(maker, 'card.issue', NEW_CARD)
    await askForApproval(maker, id, { reason: 'x', proof: null })
    await decide(admin, id)
    underPolicyText(`${text}\n`)
    await executeForTest(maker, id)
    expect((await bodiesOf(id)).at(-1)).toMatchObject({ state: 'closed', denial: 'policy-changed' })
    expect(await service.arrived('POST', ISSUE)).toBe(0)
  })

  test('when what it was approved on is no longer so', async ({ service, admin, maker, sent }) => {
    const { id, referenceId } = await awaiting(service, maker, '600')
    await decide(admin, id)
    const { accessToken: token } = await service.login('operator@example.com')
    await service.call('POST', CONFIRM, { token, body: { referenceId, bankReference: 'elsewhere' } })
    expect((await executeForTest(maker, id)).command.outcome.class).toBe('changed')
    expect(await sent()).toBe(1)
  })

  test('of another draft of the same thing: the approval is of one change', async ({ service, admin, maker, sent }) => {
    const { id, referenceId } = await draftDeposit(service, maker, '600')
    const params = { referenceId, bankReference: 'ANOTHER-1', statementAmount: '600' }
    const edited = await draftForTest(maker, 'deposit.confirm', params)
    await askForApproval(maker, id, { reason: 'x', proof: null })
    await decide(admin, id)
    await executeForTest(maker, edited)
    expect([await stateOf(edited), await sent()]).toEqual(['closed', 0])
  })

  test.for([{ scope: 'core:cards:manage' }, { passkey: true }])(
    'if its limit then needs more than was approved: %o',
    async (more, { service, admin, maker, sent }) => {
      underPolicy(RULE, { kind: 'deposit.confirm', limit: { count: 1 }, approval: { by: 1, ...more } })
      const { id } = await awaiting(service, maker, '600')
      await decide(admin, id)
      await executeForTest(maker, (await draftDeposit(service, maker, '100')).id)
      await executeForTest(maker, id)
      expect((await bodiesOf(id)).at(-1)).toMatchObject({ state: 'closed', denial: 'approval-missing' })
      expect([await sent(), (await waitingApprovals(maker)).endedUnsent]).toEqual([1, []])
    },
  )

  test.for([{ by: 2 }, { scopes: ['core:cards:manage'] }, { administers: true }, { reread: true }] as const)(
    'with approvals of a request for less: %o',
    async (more, { service, admin, maker }) => {
      const { id } = await awaiting(service, maker, '600')
      await decide(admin, id)
      const db = await store()
      const [row, request] = [(await findCommand(db, id))!, (await findRequest(db, id))!]
      const isEnough = async (need: ApprovalNeed) => isApproved(row, need, request, await findApprovals(db, id))
      expect(await isEnough(request)).toBe(true)
      expect(await isEnough({ ...request, ...more })).toBe(false)
    },
  )

  test('with an approval that was put into the store beside the console', async ({ service, maker, sent }) => {
    const { id } = await awaiting(service, maker, '600')
    const db = await store()
    const put = (actor: string, effect: string) =>
      db
        .insertInto('approval')
        .values({ command_id: id, actor, actor_name: 'X', approves: true, effect, reason: '', at: 1 })
        .execute()
    await put('sso:somebody', await effectOf(id))
    await put(maker.actor, await effectOf(id))
    expect((await executeForTest(maker, id)).command.outcome.class).toBe('approval')
    expect(await sent()).toBe(0)
  })
})

test('prepares a reference without its invisible characters again', async ({ service, admin, maker }) => {
  const referenceId = await service.announceDeposit('600')
  const params = { referenceId, bankReference: `ATL\u200B ${randomUUID()}`, statementAmount: '600' }
  const id = await draftForTest(maker, 'deposit.confirm', params)
  await askForApproval(maker, id, { reason: 'On the statement of today', proof: null })
  await decide(admin, id, false, 'No notice of the bank.')
  expect(await draftAgain(maker, id)).toMatchObject({
    ok: true,
    draft: { approval: { reason: 'On the statement of today' } },
  })
})

test('a request that its author cancelled is no news to them', async ({ service, maker }) => {
  const { id } = await awaiting(service, maker, '600')
  await withdrawCommand(maker, id)
  await age(id, 9)
  expect((await waitingApprovals(maker)).endedUnsent).toEqual([])
})

test('a request that others ended early is later not called expired', async ({ service, admin, maker }) => {
  const { id } = await awaiting(service, maker, '600')
  underPolicy(RULE, { kind: 'card.issue', limit: { count: 5 } })
  await decide(admin, id)
  expect(await outcomeOf(id)).toMatchObject({ title: 'The policy has changed' })
  await age(id, 9)
  const ended = { id, outcome: { title: 'The policy has changed' } }
  expect((await waitingApprovals(maker)).endedUnsent).toMatchObject([ended])
  expect((await waitingApprovals(admin)).endedUnsent).toEqual([])
})

describe('who decides', () => {
  const refused = { ok: false, problem: { status: 403 } }

  test('not its author, by no session and no other way of signing in', async ({ service, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    const again = await signedIn(service, 'operator@example.com', userIdOf('1'))
    for (const session of [maker, again]) expect(await decide(session, id)).toMatchObject(refused)
    expect(await stateOf(id)).toBe('awaiting_approval')
  })

  test('not who lacks the scope of the change, or sees nothing of it', async ({ service, admin, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    const arbitrator = await signedIn(service, 'arbitrator@example.com', userIdOf('2'))
    expect(await decide(arbitrator, id)).toMatchObject({ ok: false, problem: { status: 404 } })
    expect((await waitingApprovals(arbitrator)).toDecide).toEqual([])
    expect((await waitingApprovals(admin)).toDecide.map((it) => it.id)).toEqual([id])
  })

  test('not by what another digest stands for', async ({ service, admin, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    const other = await awaiting(service, maker, '601')
    const approving = { approves: true, effect: await effectOf(other.id), reason: '' }
    expect(await decideApproval(admin, id, approving)).toMatchObject({ ok: false, problem: { status: 409 } })
  })

  test('nobody twice, and nobody after its author took it back', async ({ service, admin, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    await decide(admin, id)
    expect(await decide(admin, id, false, 'No')).toMatchObject({ notice: 'You have already decided.' })
    await withdrawCommand(maker, id)
    expect(await decide(admin, id)).toMatchObject({ notice: expect.stringContaining('Yours was not recorded') })
    expect(await stateOf(id)).toBe('closed')
  })
})

test('lets twenty changes of one author wait, of parallel requests too', async ({ service, maker }) => {
  const { id: waiting } = await awaiting(service, maker, '600')
  const drafts = await Promise.all(Array.from({ length: 24 }, () => draftDeposit(service, maker, '601')))
  const asks = await Promise.all(drafts.map(({ id }) => askForApproval(maker, id, { reason: 'x', proof: null })))
  expect(asks.filter(({ ok }) => ok)).toHaveLength(19)
  expect(asks.find(({ ok }) => !ok)).toMatchObject({
    problem: { status: 409, title: expect.stringMatching(/^You already have 20 changes waiting for approval/) },
  })
  expect((await waitingApprovals(maker)).own).toHaveLength(20)
  const refused = drafts.find((_, at) => !asks[at]?.ok)
  await withdrawCommand(maker, waiting)
  expect(await askForApproval(maker, refused?.id ?? '', { reason: 'x', proof: null })).toMatchObject({ ok: true })
})

test('does not send for an author who lost the scope', async ({ service, admin, maker, sent }) => {
  const { id } = await awaiting(service, maker, '600')
  await decide(admin, id)
  const scopes = (...held: string[]) => {
    const known = { access: { roles: [], scopes: new Set(held) }, until: Number.POSITIVE_INFINITY }
    putPerProcess('scopes', { get: () => known, set: () => undefined, has: () => true, delete: () => true })
  }
  scopes('core:transactions:read')
  expect(await executeCommand(maker, id, { code: null, proof: null }, () => {})).toMatchObject({
    ok: false,
    problem: { status: 403, scope: 'core:transactions:confirm' },
  })
  expect([await stateOf(id), await sent()]).toEqual(['awaiting_approval', 0])
  scopes('core:transactions:read', 'core:transactions:confirm')
  expect((await executeForTest(maker, id)).command.outcome.class).toBe('done')
  putPerProcess('scopes', undefined)
})

test('records who decides without the right to', async ({ service, admin, maker }) => {
  putPerProcess('refused decisions', undefined)
  const counted = vi.fn()
  putPerProcess('meters', { ...meters(), approvalRefused: counted })
  const { id } = await awaiting(service, maker, '600')
  const arbitrator = await signedIn(service, 'arbitrator@example.com', userIdOf('2'))
  const toAdmin = await awaiting(service, maker, '601')
  await enterReference(service, maker, admin, toAdmin.referenceId)
  for (const times of [1, 2]) {
    for (const session of [maker, arbitrator]) await decide(session, id, times === 1)
    await decide(admin, toAdmin.id)
  }
  putPerProcess('meters', undefined)
  const entries = await (await store())
    .selectFrom('audit_entry')
    .selectAll()
    .where('kind', '=', 'approval.refuse')
    .orderBy('at')
    .execute()
  expect(entries.map(({ actor, about, facts }) => [actor, about, JSON.parse(facts)])).toEqual([
    [maker.actor, id, { change: 'deposit.confirm', why: 'author' }],
    [arbitrator.actor, id, { change: 'deposit.confirm', why: 'scope' }],
    [admin.actor, toAdmin.id, { change: 'deposit.confirm', why: 'entered' }],
  ])
  expect(counted.mock.calls.flat()).toEqual(['author', 'scope', 'entered', 'author', 'scope', 'entered'])
})

test('of a decision and a withdrawal at once one is the end', async ({ service, admin, maker }) => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await awaiting(service, maker, '600')
    await Promise.all([decide(admin, id, false, 'No'), withdrawCommand(maker, id)])
    const ends = (await bodiesOf(id)).filter(({ state }) => state === 'closed')
    expect([await stateOf(id), ends.length]).toEqual(['closed', 1])
  }
})

test('what needs none is not asked for; and with a limit it is asked for beyond that alone', async ({
  service,
  admin,
  maker,
}) => {
  underPolicy({ kind: 'deposit.confirm', limit: { sum: '700.00' }, approval: { by: 1 } })
  const within = await draftDeposit(service, maker, '600')
  expect(await askForApproval(maker, within.id, { reason: 'x', proof: null })).toMatchObject({
    notice: expect.stringContaining('no longer needs approval'),
  })
  expect((await executeForTest(maker, within.id)).command.outcome.class).toBe('done')
  const beyond = await awaiting(service, maker, '101')
  expect(await stateOf(beyond.id)).toBe('awaiting_approval')
  await decide(admin, beyond.id)
  expect((await executeForTest(maker, beyond.id)).command.outcome.class).toBe('done')
})

test.for(['approval_request', 'approval'] as const)(
  'no row of %s is altered or removed',
  async (table, { service, admin, maker }) => {
    await decide(admin, (await awaiting(service, maker, '600')).id)
    const db = await store()
    await expect(sql`UPDATE ${sql.table(table)} SET reason = 'x'`.execute(db)).rejects.toThrow()
    await expect(sql`DELETE FROM ${sql.table(table)}`.execute(db)).rejects.toThrow()
  },
)
