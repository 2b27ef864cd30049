import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished } from 'vitest'
import { commandNamed } from '#lib/commands/kind.ts'
import { countDraftsSince } from '#lib/commands/queries.ts'
import { CHANGES_MAX } from '#lib/commands/rate-limit.ts'
import { insertDraft } from '#lib/commands/store.ts'
import { waitForSweep } from '#lib/disputes/queue/case-sweeps.ts'
import { everyOpenCase, type QueueFilter } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { raiseCase } from '#lib/testing/test-case.ts'
import { underPolicy } from '#lib/testing/test-policy.ts'
import { freshWorld } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { assignCases, assignNext, refusedToTakeOver } from './assign-cases.ts'
import { recordCandidate } from './case-people.ts'
import { readCaseWorkspace } from './case-workspace.ts'
import type { NewAssignee } from './workspace.ts'
import { claimOf, claimsOf } from './workspace-tables.ts'

const assign1 = (who: Session, caseId: string) => runCommand(who, 'case.assign', { caseId })
const done = ['done', '']
const notDone = (words: string) => ['not-done', expect.stringContaining(words)]

const test = caseTest
  /** Unassigned; the arbitrator's; the admin's; resolved. */
  .extend('cases', async ({ service, dispute }) => {
    return [dispute, ...(await Promise.all([1, 2, 3].map(() => raiseCase(service, 1))))]
  })
  .extend(
    'assign',
    ({ cases }) =>
      (who: Session, to: NewAssignee, ids: readonly string[] = cases.map(({ id }) => id)) => {
        return assignCases(who, ids, to)
      },
  )
  .extend('ends', ({ assign }) => async (who: Session, to: NewAssignee, ids?: readonly string[]) => {
    return (await assign(who, to, ids)).map(({ end, why }) => [end, why])
  })
  .extend('holders', ({ cases }) => async (of = cases) => {
    const ids = of.map(({ id }) => id)
    const claims = await claimsOf(await store(), ids)
    return of.map(({ id }) => claims.get(id)?.holderName.split('@')[0] ?? null)
  })
  .extend('toAdmin', ({ admin }) => (note: string) => ({ person: admin.actor, note }))
  .extend('take', ({ arbitrator, admin, cases }) => async (to: NewAssignee, from = admin.actor) => {
    const ids = cases.map(({ id }) => id)
    return (await assignCases(arbitrator, ids, to, from)).map(({ end, why }) => [end, why])
  })

test.beforeEach(async ({ arbitrator, admin, cases }) => {
  await assign1(arbitrator, cases[1]?.id ?? '')
  await assign1(admin, cases[2]?.id ?? '')
  await cases[3]?.resolve('Delivered.')
  await recordCandidate(admin)
})

describe('to oneself', () => {
  test('unassigns what it may, and says why for the rest', async ({ arbitrator, ends, holders }) => {
    expect(await ends(arbitrator, 'me')).toEqual([
      done,
      done,
      notDone('Assigned to admin@example.com at'),
      notDone('Only an open case can be assigned'),
    ])
    expect(await holders()).toEqual(['arbitrator', 'arbitrator', 'admin', null])
  })

  test('a case that is not visible, one’s own party, and an answer that does not come are told apart', async ({
    service,
    arbitrator,
    cases,
    ends,
    holders,
  }) => {
    expect(await ends(arbitrator, 'me', [randomUUID()])).toEqual([notDone('Not found, or not visible to you')])
    const ana = await signedIn(service, 'ana@example.com', userIdOf('11'))
    expect(await ends(ana, 'me', [cases[0]?.id ?? ''])).toEqual([notDone('You’re a party to this case')])
    const viewer = await signedIn(service, 'viewer@example.com', userIdOf('4'))
    expect(await ends(viewer, 'me', [cases[0]?.id ?? ''])).toEqual([notDone('You are not permitted')])
    await service.fault('GET', '/api/v1/Dispute/{caseId}', { status: 500 }, 9)
    expect(await ends(arbitrator, 'me', [cases[0]?.id ?? ''])).toEqual([notDone('The service could not answer')])
    expect(await holders()).toEqual([null, 'arbitrator', 'admin', null])
  })

  test('gives each case to one of two concurrent people', async ({ service, arbitrator, admin, assign, holders }) => {
    const more = await Promise.all(Array.from({ length: 4 }, () => raiseCase(service, 1)))
    const ids = more.map(({ id }) => id)
    const [mine, theirs] = await Promise.all([assign(arbitrator, 'me', ids), assign(admin, 'me', ids)])
    const won = [mine, theirs].map((ended) => ended.map(({ end }) => end === 'done'))
    expect(won[0]?.map((one, at) => one !== won[1]?.[at])).toEqual([true, true, true, true])
    const names = await holders(more)
    expect(names).toEqual(won[0]?.map((one) => (one ? 'arbitrator' : 'admin')))
  })
})

describe('to a colleague', () => {
  test('goes what is unassigned and what is one’s own, with the note on each, by the usual changes', async ({
    arbitrator,
    admin,
    cases,
    ends,
    holders,
    toAdmin,
  }) => {
    expect(await ends(arbitrator, toAdmin('Ben calls on Monday.'))).toEqual([
      done,
      done,
      notDone('Assigned to admin@example.com at'),
      notDone('Only an open case can be assigned'),
    ])
    expect(await holders()).toEqual(['admin', 'admin', 'admin', null])
    for (const { id } of cases.slice(0, 2)) {
      expect(await readCaseWorkspace(admin, id)).toMatchObject({
        value: { notes: [{ authorName: 'arbitrator@example.com', text: 'Ben calls on Monday.' }] },
      })
    }
    const kinds = (await store())
      .selectFrom('command')
      .select('kind')
      .where('target', '=', cases[0]?.id ?? '')
    expect((await kinds.execute()).map(({ kind }) => kind).toSorted()).toEqual(['case.assign', 'case.reassign'])
  })

  test('assigns nothing to parties and unknown people', async ({ service, arbitrator, ends, holders }) => {
    const ana = await signedIn(service, 'ana@example.com', userIdOf('11'))
    for (const person of [ana.actor, 'sso:nobody']) {
      const [first, second] = await ends(arbitrator, { person, note: '' })
      expect([first, second]).toEqual([
        notDone('This person cannot be the assignee'),
        notDone('No colleague with that name'),
      ])
    }
    expect(await holders()).toEqual([null, 'arbitrator', 'admin', null])
  })
})

describe('from a colleague', () => {
  const changed = (words: string) => ['changed', expect.stringContaining(words)]

  test('moves only that colleague’s cases to another person', async ({ service, cases, holders, take }) => {
    const newcomer = await signedIn(service, 'newcomer@example.com', userIdOf('5'))
    await recordCandidate(newcomer)
    expect(await take({ person: newcomer.actor, note: 'Dora is ill.' })).toEqual([
      changed('This case is unassigned'),
      changed('Assigned to arbitrator@example.com at'),
      done,
      changed('Only an open case can be assigned'),
    ])
    expect(await holders()).toEqual([null, 'arbitrator', 'newcomer', null])
    const kinds = (await store())
      .selectFrom('command')
      .select('kind')
      .where('target', '=', cases[2]?.id ?? '')
    expect((await kinds.execute()).map(({ kind }) => kind).toSorted()).toEqual([
      'case.assign',
      'case.reassign',
      'case.reassign-to-me',
    ])
  })

  test('unassigns them, or takes them over', async ({ arbitrator, admin, cases, holders, take }) => {
    expect((await take('none'))[2]).toEqual(done)
    expect(await holders()).toEqual([null, 'arbitrator', null, null])
    expect((await take('me', arbitrator.actor))[1]).toEqual(changed('You are already the assignee'))
    await assign1(admin, cases[2]?.id ?? '')
    expect((await take('me'))[2]).toEqual(done)
    expect(await holders()).toEqual([null, 'arbitrator', 'arbitrator', null])
  })

  test('takes over no more than a limit allows', async ({ arbitrator, admin, cases }) => {
    underPolicy({ kind: 'case.reassign-to-me', limit: { count: 1 } })
    const free = cases[0]?.id ?? ''
    await assign1(admin, free)
    const ended = await assignCases(arbitrator, [cases[2]?.id ?? '', free], 'me', admin.actor)
    expect(ended.map(({ end }) => end).toSorted()).toEqual(['done', 'not-done'])
    expect(ended.find(({ end }) => end === 'not-done')?.why).toBe('Over your limit.')
  })

  test('leaves them where nobody else can be the assignee', async ({ service, holders, take }) => {
    const ana = await signedIn(service, 'ana@example.com', userIdOf('11'))
    expect((await take({ person: ana.actor, note: '' }))[2]).toEqual(notDone('This person cannot be the assignee'))
    expect(await holders()).toEqual([null, 'arbitrator', 'admin', null])
  })

  test('needs the scope to decide, and a code where one is required', async ({ service, arbitrator }) => {
    expect(await refusedToTakeOver(arbitrator)).toBeNull()
    // Holds the scope to write messages.
    const ana = await signedIn(service, 'ana@example.com', userIdOf('11'))
    expect(await refusedToTakeOver(ana)).toMatchObject({ status: 403 })
    const gated = await freshWorld({ STEP_UP_EXTRA: 'case.reassign-to-me' })
    const reader = await signedIn(gated, 'arbitrator@example.com', userIdOf('2'))
    expect(await refusedToTakeOver(reader)).toMatchObject({
      title: expect.stringContaining('This needs a code'),
    })
    expect(await refusedToTakeOver(await signedIn(gated, 'newcomer@example.com', userIdOf('5')))).toMatchObject({
      title: 'This needs two-factor security',
    })
  })
})

describe('the next case', () => {
  const next = async (who: Session, change: Partial<QueueFilter> = {}) => {
    await queueFor(who, everyOpenCase, { page: 1, size: 1 })
    await waitForSweep(20_000)
    const found = await assignNext(who, { ...everyOpenCase, ...change })
    if (found === 'session-over') throw new Error('the session is over')
    return 'caseId' in found ? found : { ...found, caseId: null, chosen: '' }
  }

  test('is a different one for two at once, each with its reason', async ({ service, arbitrator, admin }) => {
    await Promise.all([1, 2].map(() => raiseCase(service, 1)))
    const both = await Promise.all([next(arbitrator), next(admin)])
    const db = await store()
    expect(new Set(both.map(({ caseId }) => caseId)).size).toBe(2)
    for (const [at, { caseId, chosen }] of both.entries()) {
      expect((await claimOf(db, caseId ?? ''))?.holder).toBe([arbitrator, admin][at]?.actor)
      const made = db.selectFrom('command').select(['params', 'facts']).where('state', '=', 'done')
      const { params, facts } = await made.where('target', '=', caseId ?? '').executeTakeFirstOrThrow()
      const lines = commandNamed('case.assign')?.summary(JSON.parse(params), JSON.parse(facts))
      expect(lines?.at(-1)).toEqual({ label: 'Chosen', value: chosen, as: 'text' })
      expect(chosen).not.toBe('')
    }
  })

  test('is none that was resolved since the list was read', async ({ arbitrator, cases }) => {
    await next(arbitrator, { text: 'no such words' })
    const resolved = cases[0]?.id ?? ''
    const oldest = { created_key: '2020-01-01T00:00:00.0000000' }
    const row = (await store()).updateTable('case_index').set(oldest).where('id_key', '=', resolved)
    await row.execute()
    await cases[0]?.resolve('Delivered.')
    const unread = { ...everyOpenCase, turn: 'unknown' } as const
    expect(await assignNext(arbitrator, unread)).toMatchObject({ caseId: expect.not.stringMatching(resolved) })
    expect((await row.returning('status').execute())[0]?.status).toBe('RESOLVED')
  })

  test('stays in the filter, and says if that has none', async ({ arbitrator, holders }) => {
    expect(await next(arbitrator, { text: 'no such words', list: 'RESOLVED', claim: 'mine' })).toMatchObject({
      why: 'No unassigned case matches the filter.',
    })
    expect(await holders()).toEqual([null, 'arbitrator', 'admin', null])
  })

  test('is not known while the service is down', async ({ service, arbitrator }) => {
    await next(arbitrator, { text: 'no such words' })
    await service.fault('GET', '/api/v1/Dispute/{caseId}', { status: 500 }, 9)
    expect(await next(arbitrator)).toMatchObject({ why: expect.stringContaining('No case was assigned.') })
  })
})

test('to nobody goes what is one’s own alone', async ({ arbitrator, ends, holders }) => {
  expect(await ends(arbitrator, 'none')).toEqual([
    notDone('This case is unassigned'),
    done,
    notDone('Assigned to admin@example.com at'),
    notDone('This case is unassigned'),
  ])
  expect(await holders()).toEqual([null, null, 'admin', null])
})

test('reports assignments truthfully when any statement fails', async ({ service, arbitrator, assign }) => {
  const { failing, remove } = await FailingStore.install()
  onTestFinished(remove)
  const told = new Set<string>()
  for (const failure of ['before', 'after'] as const) {
    for (let failed = true, at = 1; failed; at += 1) {
      const { id } = await raiseCase(service, 1)
      let end = ''
      failed = await failing.live(at, failure, async () => {
        end = (await assign(arbitrator, 'me', [id]))[0]?.end ?? ''
      })
      told.add(end)
      const holder = (await claimOf(await store(), id))?.holder
      if (end !== 'not-known')
        expect([end, holder]).toEqual(end === 'done' ? ['done', arbitrator.actor] : ['not-done', undefined])
    }
  }
  expect([...told].toSorted()).toEqual(['done', 'not-done', 'not-known'])
})

test('counts many at once as one, whichever is changed', async ({ service, arbitrator, cases, ends, toAdmin }) => {
  const ids = (await Promise.all([1, 2, 3].map(() => raiseCase(service, 1)))).map(({ id }) => id)
  const since = new Date(Date.now() - 60_000).toISOString()
  const counted = async () => countDraftsSince(await store(), arbitrator.actor, since)
  const before = await counted()
  const resolved = cases[3]?.id ?? ''
  expect(await ends(arbitrator, 'me', [resolved, ...ids])).toEqual([notDone('Only an open case'), done, done, done])
  expect((await counted()) - before).toBe(1)
  expect(await ends(arbitrator, toAdmin(''), ids)).toEqual([done, done, done])
  expect((await counted()) - before).toBe(2)
})

test('assigns none beyond the limit of changes', async ({ service, arbitrator, ends }) => {
  const ids = (await Promise.all([1, 2].map(() => raiseCase(service, 1)))).map(({ id }) => id)
  const given = { kind: 'case.assign', actor: arbitrator.actor, actorName: '', target: '', params: '{}', facts: '{}' }
  for (let n = 0; n < CHANGES_MAX; n += 1) await insertDraft(await store(), { id: randomUUID(), ...given })
  expect(await ends(arbitrator, 'me', ids)).toEqual([notDone('Too many changes'), notDone('Too many changes')])
})
