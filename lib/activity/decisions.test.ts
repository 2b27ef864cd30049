import { expect } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { awaiting, decide } from '#lib/testing/approval-world.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { ME } from '#lib/values/address-filter.ts'
import { activityInParts, activityPage, peopleLately } from './activity.ts'
import { type ActivityFilter, ALL_ACTIVITY } from './activity-filter.ts'

const RULE = { kind: 'deposit.confirm', when: { amountAtLeast: '500.00' }, approval: { by: 1 } }
const REASON = 'No notice of the “bank”.'

const test = serviceTest
  .extend('rules', [RULE])
  .extend('maker', ({ operator }) => operator)
  .extend('approver', ({ admin }) => admin)
  .extend('approved', async ({ service, maker }) => (await awaiting(service, maker, '600')).id)
  .extend('declined', async ({ service, maker }) => (await awaiting(service, maker, '700')).id)

test.beforeEach(async ({ approver, approved, declined }) => {
  await decide(approver, approved)
  await decide(approver, declined, false, REASON)
})

const seenBy = async (session: Session, filter: Partial<ActivityFilter>) => {
  const { rows, total } = await activityPage(session, { ...ALL_ACTIVITY, ...filter }, { page: 1, size: 20 })
  expect(total).toBe(rows.length)
  return rows.filter(({ kind }) => kind.startsWith('approval.')).map(({ title }) => title)
}

const APPROVED = 'Approved: Confirm deposit of 600.00 BZD'
const DECLINED = 'Declined: Confirm deposit of 700.00 BZD'

test.for<[name: string, filter: Partial<ActivityFilter>, titles: readonly string[]]>([
  ['all', {}, [DECLINED, APPROVED]],
  ['mine', { person: ME }, [DECLINED, APPROVED]],
  ['the beginning of a name', { person: 'ADM' }, [DECLINED, APPROVED]],
  ['another person', { person: 'operator' }, []],
  ['approvals', { kind: 'approval.approve' }, [APPROVED]],
  ['declines', { kind: 'approval.decline' }, [DECLINED]],
  ['a kind of change', { kind: 'deposit.confirm' }, []],
  ['an outcome', { outcome: 'done' }, []],
  ['today', { from: 'today', to: 'today' }, [DECLINED, APPROVED]],
  ['yesterday', { to: 'yesterday' }, []],
  ['the reason', { text: REASON.toUpperCase() }, [DECLINED]],
])('lists decisions of the approver: %s', async ([_name, filter, titles], { approver }) => {
  expect(await seenBy(approver, filter)).toEqual(titles)
})

test('one’s own name finds decisions of a namesake', async ({ service, maker, approver }) => {
  const person = maker.displayName
  const other = await awaiting(service, await signedIn(service, 'admin@example.com', userIdOf('21')), '800')
  await decide(maker, other.id)
  const renamed = Object.create(approver, { displayName: { value: person } })
  expect(await seenBy(renamed, { person })).toEqual(['Approved: Confirm deposit of 800.00 BZD', DECLINED, APPROVED])
})

test('finds a decision by the id of its change', async ({ approver, approved }) => {
  expect(await seenBy(approver, { text: approved })).toEqual([APPROVED])
})

test('names the approver, the reason and the change', async ({ maker, approver, declined }) => {
  const parts = await Array.fromAsync(activityInParts(approver, { ...ALL_ACTIVITY, person: ME }, 1))
  expect(parts.flatMap(({ rows }) => rows)).toMatchObject([
    { actorName: approver.displayName, kind: 'approval.decline', details: REASON, record: declined, amount: null },
  ])
  expect(await peopleLately(maker)).toContain(approver.displayName)
})

test('shows a decision only to those who see its change', async ({ service, maker }) => {
  expect(await seenBy(maker, {})).toEqual([DECLINED, APPROVED])
  expect(await seenBy(await signedIn(service, 'viewer@example.com', userIdOf('4')), {})).toEqual([])
})
