import { describe, expect } from 'vitest'
import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { inDays } from '#lib/testing/test-case.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { assignCases, assignNext } from './assign-cases.ts'
import { colleaguesOf, listPeople, readMyself, recordCandidate } from './case-people.ts'

const test = caseTest
  .extend('environment', { STAFF_ADMIN_SCOPES: 'core:transactions:confirm,core:disputes:resolve' })
  /** When the test began: a day may end while it runs. */
  .extend('now', () => Date.now())
  .extend('dayIn', ({ now }) => (days: number): string => {
    return inDays(days, now).slice(0, 10)
  })
  .extend('awayOf', ({ admin }) => async () => {
    return (await colleaguesOf(admin)).map(({ name, awayUntil }) => [name, awayUntil])
  })
  .extend('queue', ({ arbitrator }) => () => {
    return queueFor(arbitrator, everyOpenCase, { page: 1, size: 20 })
  })

test.beforeEach(async ({ arbitrator }) => {
  await recordCandidate(arbitrator)
})

const set = async (who: Session, person: string, until: string) =>
  (await runCommand(who, 'assignee.away', { person, until })).command

describe('an absence', () => {
  test('of oneself or a colleague is shown beside the name', async ({
    arbitrator,
    admin,
    dispute,
    dayIn,
    awayOf,
    queue,
  }) => {
    await runCommand(arbitrator, 'case.assign', { caseId: dispute.id })
    await queue()
    expect((await set(arbitrator, arbitrator.actor, dayIn(9))).outcome.class).toBe('done')
    expect(await awayOf()).toEqual([['arbitrator@example.com', dayIn(9)]])
    expect((await readMyself(arbitrator)).awayUntil).toBe(dayIn(9))
    expect((await queue()).counts.assignees).toEqual([
      { actor: arbitrator.actor, name: 'arbitrator@example.com', count: 1, awayUntil: dayIn(9) },
    ])
    const made = await set(admin, arbitrator.actor, dayIn(3))
    expect(made).toMatchObject({ title: `Set arbitrator@example.com as away until ${dayIn(3)}` })
    expect(await awayOf()).toEqual([['arbitrator@example.com', dayIn(3)]])
  })

  test('ends by its day alone, or when it is ended', async ({ arbitrator, admin, dayIn, awayOf }) => {
    await set(arbitrator, arbitrator.actor, dayIn(9))
    await (await store())
      .updateTable('absence')
      .set({ until: dayIn(0) })
      .execute()
    expect(await awayOf()).toEqual([['arbitrator@example.com', null]])
    await set(admin, arbitrator.actor, dayIn(9))
    await set(admin, arbitrator.actor, '')
    expect(await awayOf()).toEqual([['arbitrator@example.com', null]])
  })

  test('keeps a colleague among those who can be assigned', async ({ arbitrator, admin, dispute, dayIn, awayOf }) => {
    const setSeen = async () =>
      (await store())
        .updateTable('case_candidate')
        .set({ known_at: inDays(-20) })
        .execute()
    await setSeen()
    expect(await awayOf()).toEqual([])
    await set(admin, arbitrator.actor, dayIn(30))
    expect(await awayOf()).toEqual([['arbitrator@example.com', dayIn(30)]])
    const [assigned] = await assignCases(admin, [dispute.id], { person: arbitrator.actor, note: '' })
    expect(assigned).toMatchObject({ end: 'done' })
  })

  test.for([
    ['today', inDays(0).slice(0, 10)],
    ['a day before', inDays(-1).slice(0, 10)],
    ['too far a day', inDays(92).slice(0, 10)],
    ['no day', '2026-02-30'],
    ['words', 'next week'],
  ] as const)('cannot last until %s', async ([_what, until], { admin }) => {
    const drafted = await draftOf(admin, 'assignee.away', { person: admin.actor, until })
    expect(drafted).toMatchObject({ ok: false, fields: { until: expect.any(String) } })
  })

  test('of others is set by administrators alone', async ({ arbitrator, admin, newcomer, dayIn, awayOf }) => {
    const title = 'Only administrators of this console can do this.'
    for (const person of [admin.actor, newcomer.actor, 'sso:nobody']) {
      const drafted = await draftOf(arbitrator, 'assignee.away', { person, until: dayIn(9) })
      expect(drafted).toMatchObject({ ok: false, problem: { status: 403, title } })
    }
    expect((await listPeople(arbitrator)).setsAbsences).toBe(false)
    expect((await listPeople(admin)).setsAbsences).toBe(true)
    expect(await awayOf()).toEqual([['arbitrator@example.com', null]])
  })

  test('is set by those who decide cases, for known people', async ({ service, admin, dayIn }) => {
    for (const [email, end] of [
      ['viewer@example.com', '4'],
      ['ana@example.com', '11'],
      ['operator@example.com', '1'],
    ] as const) {
      const session = await signedIn(service, email, userIdOf(end))
      const drafted = await draftOf(session, 'assignee.away', { person: session.actor, until: dayIn(9) })
      expect(drafted).toMatchObject({ ok: false, problem: { status: 403 } })
    }
    const unknown = await draftOf(admin, 'assignee.away', { person: 'sso:nobody', until: dayIn(9) })
    expect(unknown).toMatchObject({ ok: false, fields: { person: 'This person is not known here.' } })
  })
})

test('asks an absent person before assigning the next case', async ({ arbitrator, dayIn, queue }) => {
  await queue()
  await set(arbitrator, arbitrator.actor, dayIn(9))
  expect(await assignNext(arbitrator, everyOpenCase)).toEqual({ awayUntil: dayIn(9) })
  const claims = (await store()).selectFrom('case_claim').selectAll()
  expect(await claims.execute()).toEqual([])
  expect(await assignNext(arbitrator, everyOpenCase, true)).not.toHaveProperty('awayUntil')
})
