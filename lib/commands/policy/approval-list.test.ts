import { sql } from 'kysely'
import { beforeEach, describe, expect } from 'vitest'
import { approvalWriter, requestsWanted } from '#lib/activity/approval-file.ts'
import { readApprovalFilter } from '#lib/activity/approval-filter.ts'
import { homeChanges } from '#lib/activity/open-changes.ts'
import { withdrawCommand } from '#lib/commands/prepare.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { age, awaiting, decide, effectOf, enterReference, tamper } from '#lib/testing/approval-world.ts'
import { draftForTest, executeForTest } from '#lib/testing/gated-deposit.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { topics } from '#lib/topics.ts'
import { maintain } from '../maintenance.ts'
import { earlierRequests, nextRequest, type RequestPage, requestPage, requestsInParts } from './approval-list.ts'
import { waitingApprovals } from './approval-view.ts'
import { askForApproval, draftAgain } from './approvals.ts'

const test = serviceTest
  .extend('rules', [
    { kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, approval: { by: 1 } },
    { kind: 'terminal.register', approval: { by: 1 } },
  ])
  .extend('maker', ({ operator }) => operator)

beforeEach(() => putPerProcess('scopes', undefined))

const filterOf = (session: Session, query: string) =>
  requestsWanted(session, readApprovalFilter(new URLSearchParams(query)).filter)

const pageOf = (session: Session, query = '', at = { page: 1, size: 20 }): Promise<RequestPage> =>
  requestPage(session, filterOf(session, query), at)

const idsOf = async (session: Session, query = '', at = { page: 1, size: 20 }): Promise<readonly string[]> =>
  (await pageOf(session, query, at)).rows.map(({ id }) => id)

const [REQUESTED, DECIDED] = ['view=requested', 'view=decided']

/** As if it had been requested so many hours earlier. */
const askedEarlier = (id: string, hours: number) =>
  tamper(sql`UPDATE approval_request SET asked_at = asked_at - ${hours * 3600} WHERE command_id = ${id}`)

test('an approver sees earlier requests for the same deposit', async ({ service, admin, maker }) => {
  const first = await awaiting(service, maker, '600')
  await decide(admin, first.id, false, 'No notice of the bank.')
  const other = await awaiting(service, maker, '700')
  const again = await draftAgain(maker, first.id)
  const { id } = again?.ok ? again.draft : { id: '' }
  await askForApproval(maker, id, { reason: 'The notice is here', proof: null })
  expect(await earlierRequests(admin, id)).toMatchObject([
    { id: first.id, status: 'declined', decisions: [{ by: 'admin@example.com', reason: 'No notice of the bank.' }] },
  ])
  expect(await earlierRequests(admin, other.id)).toEqual([])
  expect(await earlierRequests(await signedIn(service, 'arbitrator@example.com', userIdOf('2')), id)).toEqual([])
})

test('a declined request leaves Home once requested again', async ({ service, admin, maker }) => {
  const endedUnsent = async () => (await waitingApprovals(maker)).endedUnsent.map(({ id }) => id)
  const [first, other] = [await awaiting(service, maker, '600'), await awaiting(service, maker, '700')]
  for (const { id } of [other, first]) await decide(admin, id, false, 'No notice of the bank.')
  const again = await draftAgain(maker, first.id)
  const { id } = again?.ok ? again.draft : { id: '' }
  expect(await endedUnsent()).toEqual([first.id, other.id])
  await askForApproval(maker, id, { reason: 'The notice is here', proof: null })
  expect(await endedUnsent()).toEqual([other.id])
  await decide(admin, id, false, 'Another amount.')
  expect(await endedUnsent()).toEqual([id, other.id])
})

test('a declined terminal stays on Home when another is requested', async ({ admin, maker }) => {
  const request = async (terminalUid: string) => {
    const id = await draftForTest(maker, 'terminal.register', { merchantId: 'merchant-001', terminalUid, label: '' })
    await askForApproval(maker, id, { reason: 'The merchant asked', proof: null })
    return id
  }
  const declined = await request('UID-9001')
  await decide(admin, declined, false, 'Not the right merchant.')
  await request('UID-9002')
  expect((await waitingApprovals(maker)).endedUnsent).toMatchObject([{ id: declined }])
})

test('a request cancelled under the earlier build stays off Home', async ({ service, maker }) => {
  const { id } = await awaiting(service, maker, '600')
  await withdrawCommand(maker, id)
  await tamper(sql`UPDATE command SET handled_at = NULL WHERE id = ${id}`)
  expect((await waitingApprovals(maker)).endedUnsent).toEqual([])
})

describe('waiting for me', () => {
  test('shows an approver what they may decide, and its author nothing', async ({ service, admin, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    expect([await idsOf(admin), await idsOf(maker)]).toEqual([[id], []])
    expect((await pageOf(admin)).rows).toMatchObject([
      {
        title: 'Confirm deposit of 600.00 BZD',
        actorName: 'operator@example.com',
        reason: 'On the statement of today',
        status: 'waiting',
        needed: 1,
        decisions: [],
        overdue: null,
      },
    ])
  })

  test.for([
    ['a viewer', 'viewer@example.com', '4'],
    ['a person without the scope', 'arbitrator@example.com', '2'],
  ] as const)('shows nothing to %s, in any view', async ([_who, email, end], { service, admin, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    await decide(admin, id, false, 'No')
    await awaiting(service, maker, '601')
    const session = await signedIn(service, email, userIdOf(end))
    for (const view of ['', REQUESTED, DECIDED]) {
      expect(await pageOf(session, view), view).toMatchObject({ rows: [], total: 0 })
    }
  })

  test('shows nothing of others while the scopes cannot be read', async ({ service, maker }) => {
    await awaiting(service, maker, '600')
    const unread = await signedInUnread(service, 'admin@example.com')
    for (const view of ['', DECIDED]) expect(await idsOf(unread, view)).toEqual([])
  })

  test('leaves out a change whose party the person is', async ({ service, admin, maker }) => {
    await awaiting(service, maker, '600')
    const party = await signedIn(service, 'admin@example.com', userIdOf('11'))
    const access = { roles: [], scopes: new Set(['core:transactions:confirm']) }
    const known = { access, until: Number.POSITIVE_INFINITY }
    putPerProcess('scopes', { get: () => known, set: () => undefined, has: () => true, delete: () => true })
    expect([await idsOf(party), (await idsOf(admin)).length]).toEqual([[], 1])
    putPerProcess('scopes', undefined)
  })

  test('leaves out what the person entered', async ({ service, admin, maker }) => {
    const { referenceId } = await awaiting(service, maker, '600')
    await enterReference(service, maker, admin, referenceId)
    expect(await idsOf(admin)).toEqual([])
  })

  test('orders by expiry, and pages over all', async ({ service, admin, maker }) => {
    const ids = []
    for (const amount of ['600', '601', '602']) ids.push((await awaiting(service, maker, amount)).id)
    await age(ids[1] ?? '', 2)
    await age(ids[2] ?? '', 1)
    const [first, second, third] = [ids[1], ids[2], ids[0]]
    expect(await idsOf(admin)).toEqual([first, second, third])
    expect(await idsOf(admin, '', { page: 2, size: 2 })).toEqual([third])
    expect((await pageOf(admin, '', { page: 2, size: 2 })).total).toBe(3)
    const next = await nextRequest(admin, filterOf(admin, ''), first ?? '')
    expect(next).toEqual({ id: second, title: 'Confirm deposit of 602.00 BZD', waiting: 2 })
  })

  test('ends with the decision, the withdrawal and the time', async ({ service, admin, maker }) => {
    const [decided, cancelled, late] = [
      await awaiting(service, maker, '600'),
      await awaiting(service, maker, '601'),
      await awaiting(service, maker, '602'),
    ]
    await decide(admin, decided.id)
    await withdrawCommand(maker, cancelled.id)
    await age(late.id, 9)
    expect(await idsOf(admin)).toEqual([])
    expect(await nextRequest(admin, filterOf(admin, ''), decided.id)).toBeNull()
  })

  test('no longer asks a third person once enough approved', async ({ service, admin, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    const third = await signedIn(service, 'admin@example.com', userIdOf('21'))
    expect(await idsOf(third)).toEqual([id])
    await decide(admin, id)
    expect([await idsOf(third), (await homeChanges(third)).approvals.toDecide]).toEqual([[], []])
  })
})

describe('asked by me, and decided', () => {
  test('each request has its end, its decisions and reasons', async ({ service, admin, maker }) => {
    const ids: Record<string, string> = {}
    for (const [at, name] of ['waiting', 'approved', 'sent', 'declined', 'expired', 'cancelled', 'ended'].entries()) {
      ids[name] = (await awaiting(service, maker, String(600 + at))).id
    }
    for (const name of ['approved', 'sent']) await decide(admin, ids[name] ?? '', true, 'As booked')
    await executeForTest(maker, ids.sent ?? '')
    await decide(admin, ids.declined ?? '', false, 'Another amount')
    await withdrawCommand(maker, ids.cancelled ?? '')
    await age(ids.expired ?? '', 9)
    expect(await idsOf(admin, `${DECIDED}&outcome=expired`)).toEqual([ids.expired])
    await maintain()
    await tamper(sql`UPDATE command SET target = 'elsewhere' WHERE id = ${ids.ended}`)
    await decide(admin, ids.ended ?? '')
    const { rows, total } = await pageOf(maker, REQUESTED)
    expect(Object.fromEntries(rows.map(({ status, id }) => [status, id]))).toEqual(ids)
    expect(total).toBe(7)
    const byId = new Map(rows.map((row) => [row.id, row]))
    expect(byId.get(ids.declined ?? '')).toMatchObject({
      decisions: [{ by: 'admin@example.com', approves: false, reason: 'Another amount', at: expect.any(String) }],
      endedAt: expect.any(String),
    })
    expect(byId.get(ids.sent ?? '')).toMatchObject({
      decisions: [{ approves: true, reason: 'As booked' }],
      outcome: { class: 'done' },
    })
    const decided = await idsOf(admin, DECIDED)
    expect(decided.toSorted()).toEqual(
      Object.values(ids)
        .filter((id) => id !== ids.waiting)
        .toSorted(),
    )
    for (const [status, id] of Object.entries(ids)) {
      expect(await idsOf(maker, `${REQUESTED}&outcome=${status}`), status).toEqual([id])
    }
  })

  test('nobody else sees what one asked as theirs', async ({ service, admin, maker }) => {
    await awaiting(service, maker, '600')
    expect(await idsOf(admin, REQUESTED)).toEqual([])
  })

  test('a request with one of two approvals is decided and waits', async ({ service, admin, maker }) => {
    underPolicy({ kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, approval: { by: 2 } })
    const { id } = await awaiting(service, maker, '600')
    await decide(admin, id)
    expect(await idsOf(admin)).toEqual([])
    expect((await pageOf(admin, DECIDED)).rows).toMatchObject([{ id, status: 'waiting', needed: 2, decisions: [{}] }])
  })

  test('a decision whose event is not genuine shows as none', async ({ service, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    const body = JSON.stringify({ kind: 'deposit.confirm', decision: 'approved', by: 'sso:x', byName: 'X' })
    const event = { command_id: id, at: '2026-11-20T10:00:00.000Z', state: 'awaiting_approval', actor: 'sso:x', body }
    await (await store())
      .insertInto('command_event')
      .values({ ...event, sequence: 1_000_000, previous_mac: '', mac: '' })
      .execute()
    expect((await pageOf(maker, REQUESTED)).rows).toMatchObject([{ id, decisions: [] }])
  })

  test('an approval that was put into the store shows as no decision', async ({ service, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    const forged = { command_id: id, actor: 'sso:x', actor_name: 'X', approves: true, reason: '', at: 1 }
    await (await store())
      .insertInto('approval')
      .values({ ...forged, effect: await effectOf(id) })
      .execute()
    expect((await pageOf(maker, REQUESTED)).rows).toMatchObject([{ id, decisions: [] }])
  })

  test('the newest request comes first, page by page', async ({ service, maker }) => {
    const ids = []
    for (const amount of ['600', '601', '602']) ids.push((await awaiting(service, maker, amount)).id)
    await askedEarlier(ids[2] ?? '', 1)
    const order = [ids[1], ids[0], ids[2]]
    expect(await idsOf(maker, REQUESTED)).toEqual(order)
    expect(await idsOf(maker, REQUESTED, { page: 2, size: 2 })).toEqual([ids[2]])
  })
})

describe('a filter', () => {
  test('selects by kind, person, day and outcome', async ({ service, admin, maker }) => {
    const [old, declined] = [await awaiting(service, maker, '600'), await awaiting(service, maker, '601')]
    await askedEarlier(old.id, 72)
    await decide(admin, declined.id, false, 'No')
    const today = `from=today&to=today`
    const cases: readonly (readonly [Session, string, readonly string[]])[] = [
      [admin, 'kind=deposit.confirm', [old.id]],
      [admin, 'kind=card.issue', []],
      [admin, 'person=OPERATOR', [old.id]],
      [admin, 'person=admin', []],
      [admin, today, []],
      [maker, `${REQUESTED}&${today}`, [declined.id]],
      [maker, `${REQUESTED}&to=yesterday`, [old.id]],
      [maker, `${REQUESTED}&person=admin`, [declined.id]],
      [admin, `${DECIDED}&person=me`, [declined.id]],
      [admin, `${DECIDED}&person=Me`, [declined.id]],
      [admin, `${DECIDED}&outcome=declined`, [declined.id]],
      [admin, `${DECIDED}&outcome=sent`, []],
    ]
    for (const [session, query, ids] of cases) {
      expect(await pageOf(session, query), query).toMatchObject({ total: ids.length })
      expect(await idsOf(session, query), query).toEqual(ids)
    }
  })

  test('by one’s own name finds requests of a namesake', async ({ service, admin, maker }) => {
    const [decided, waiting] = [await awaiting(service, maker, '600'), await awaiting(service, maker, '601')]
    await decide(admin, decided.id)
    const named = (displayName: string): Session => Object.create(admin, { displayName: { value: displayName } })
    expect(await idsOf(named('operator@example.com'), 'person=operator@example.com')).toEqual([waiting.id])
    expect(await idsOf(named('Ana'), `${DECIDED}&person=ana`)).toEqual([decided.id])
  })

  test('with an invalid part says so, and ignores it', () => {
    const { filter, faults } = readApprovalFilter(
      new URLSearchParams('view=all&kind=nothing&outcome=x&from=never&zone=Nowhere'),
    )
    expect(filter).toEqual({ view: 'waiting', person: '', kind: '', outcome: '', from: '', to: '', zone: '' })
    expect(faults).toHaveLength(5)
  })
})

describe('the file', () => {
  test('has every request once, and no formula', async ({ service, admin, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    await awaiting(service, maker, '601')
    await decide(admin, id, false, '=1+1')
    const parts = await Array.fromAsync(requestsInParts(maker, filterOf(maker, REQUESTED), 50))
    const rows = parts.flatMap((part) => part.rows)
    expect(rows.map((row) => row.id)).toEqual(await idsOf(maker, REQUESTED))
    const lines = (approvalWriter.begin + approvalWriter.rows(rows, true)).split('\r\n')
    expect(lines[0]).toBe(
      '\ufeffRequested (UTC),Person,Kind,Change,About,Amount (BZD),Reason,Request,Approvals needed,Approved by,' +
        'Declined by,Decided (UTC),Reasons of decisions,Expires (UTC),Ended (UTC),Outcome,Id',
    )
    expect(lines[2]).toContain(',600.00000000,On the statement of today,Declined,1,,admin@example.com,')
    expect(approvalWriter.rows([{ ...rows[1]!, reason: '=1+1' }], true)).toContain(",'=1+1,")
  })

  test('names each person, its reader too', async ({ service, admin, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    await decide(admin, id)
    const named = async (session: Session) => {
      const renamed = Object.create(session, { displayName: { value: 'Renamed' } })
      const parts = await Array.fromAsync(requestsInParts(renamed, filterOf(renamed, DECIDED), 50))
      return parts.flatMap(({ rows }) => rows.map(({ actorName, decisions }) => [actorName, decisions[0]?.by]))
    }
    const names = [['operator@example.com', 'admin@example.com']]
    expect([await named(maker), await named(admin)]).toEqual([names, names])
  })

  test('stops at the most rows, and says how many there are', async ({ service, maker }) => {
    for (const amount of ['600', '601', '602']) await awaiting(service, maker, amount)
    const parts = await Array.fromAsync(requestsInParts(maker, filterOf(maker, REQUESTED), 2))
    expect(parts.map(({ rows, total }) => [rows.length, total])).toEqual([[2, 3]])
  })
})

describe('the reminder', () => {
  const news = async (session: Session) => {
    const source = topics.get('waiting')?.source
    if (source?.kind !== 'value') throw new Error('no such topic')
    return (await source.read(session, '')).result
  }

  test('marks a request from its minutes on, to approvers and author', async ({ service, admin, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    expect(await news(admin)).toMatchObject({ value: { toDecide: [id], overdue: [] } })
    await askedEarlier(id, 3)
    expect(await news(admin)).toMatchObject({ value: { toDecide: [id], overdue: [id] } })
    expect((await pageOf(admin)).rows).toMatchObject([{ overdue: '3 h' }])
    for (const session of [admin, maker]) {
      expect((await homeChanges(session)).approvals.overdue).toEqual({ [id]: '3 h' })
    }
  })

  test('reaches nobody who may not decide', async ({ service, admin, maker }) => {
    const { id } = await awaiting(service, maker, '600')
    await askedEarlier(id, 3)
    const arbitrator = await signedIn(service, 'arbitrator@example.com', userIdOf('2'))
    for (const session of [maker, arbitrator]) {
      expect(await news(session)).toMatchObject({ value: { toDecide: [], overdue: [] } })
    }
    await decide(admin, id)
    expect(await news(admin)).toMatchObject({ value: { toDecide: [], overdue: [] } })
    expect((await pageOf(maker, REQUESTED)).rows).toMatchObject([{ status: 'approved', overdue: null }])
  })
})
