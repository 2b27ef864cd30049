import { describe, expect } from 'vitest'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import { endWatches, watchOf } from '#lib/disputes/workspace/case-notices.ts'
import { recordCandidate } from '#lib/disputes/workspace/case-people.ts'
import { claimOf } from '#lib/disputes/workspace/workspace-tables.ts'
import { findEvents } from '#lib/journal/event.ts'
import { endSession } from '#lib/session/end-session.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { inDays } from '#lib/testing/test-case.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { type AssignedCase, unreadIn } from './assigned-cases.ts'
import { assignedCasesOf, assignedCasesWithin } from './read-assigned-cases.ts'
import { recordSeen } from './thread-table.ts'

const test = caseTest
  .extend('signIn', ({ service }, { onCleanup }) => {
    const sessions: Session[] = []
    // Ends the line to the hub as well.
    onCleanup(async () => {
      for (const { id } of sessions) await endSession(id, 'signed-out')
    })
    return async (email: string, end: string): Promise<Session> => {
      const session = await signedIn(service, email, userIdOf(end))
      sessions.push(session)
      return session
    }
  })
  .extend('arbitrator', ({ signIn }) => signIn('arbitrator@example.com', '2'))
  .extend('ownOf', ({ arbitrator }) => async (session = arbitrator): Promise<AssignedCase | undefined> => {
    return (await assignedCasesWithin(session, 10_000))?.cases[0]
  })
  .extend('watch', ({ dispute }) => (who: Session) => {
    return runCommand(who, 'case.watch', { caseId: dispute.id, watching: true })
  })
  .extend('mention', ({ dispute, signIn }) => async (who: Session) => {
    await recordCandidate(who)
    const by = await signIn('newcomer@example.com', '5')
    const text = `Ask @${who.displayName}.`
    return await runCommand(by, 'case.note', { caseId: dispute.id, text, mentions: [who.actor] })
  })

test('shows an own case’s unread message until it is seen', async ({ service, arbitrator, dispute, ownOf }) => {
  await claimedBy(arbitrator.actor, dispute.id)
  await eventually(async () => expect((await ownOf())?.thread).toMatchObject({ turn: 'us', unread: 0 }))
  const reads = await service.arrived('GET', '/api/v1/Dispute/{caseId}/messages')
  await dispute.post('Where is it?')
  await eventually(async () =>
    expect((await ownOf())?.thread).toMatchObject({ turn: 'us', unread: 1, lastBy: 'sender' }),
  )
  expect(await service.arrived('GET', '/api/v1/Dispute/{caseId}/messages')).toBe(reads)
  const thread = await readWholeThread(arbitrator, dispute.id)
  const last = thread.ok ? thread.value.messages.at(-1) : undefined
  if (last === undefined) throw new Error('there is no message')
  await recordSeen(await store(), arbitrator.actor, dispute.id, last)
  expect((await ownOf())?.thread).toMatchObject({ unread: 0 })
})

test('keeps a snoozed case silent until a party writes', async ({ arbitrator, dispute, ownOf }) => {
  await claimedBy(arbitrator.actor, dispute.id)
  await eventually(async () => expect((await ownOf())?.thread).toMatchObject({ turn: 'us' }))
  await runCommand(arbitrator, 'case.snooze', { caseId: dispute.id, until: inDays(7) })
  expect(await assignedCasesOf(arbitrator)).toEqual({
    ...{ cases: [], more: { assigned: 0, watched: 0 }, snoozed: 1 },
    snoozedCases: [{ id: dispute.id, thread: expect.objectContaining({ unread: 0, newest: null }) }],
  })
  await dispute.post('It was a Friday.')
  await eventually(async () => expect((await ownOf())?.thread).toMatchObject({ turn: 'us', unread: 1 }))
})

test('one’s own message is never unread, and turns the case over to the party who wrote last', async ({
  arbitrator,
  dispute,
  ownOf,
}) => {
  await dispute.post('I sent it.', 'ben')
  await claimedBy(arbitrator.actor, dispute.id)
  await runCommand(arbitrator, 'dispute.message', { caseId: dispute.id, body: 'By which courier?' })
  await eventually(async () =>
    expect((await ownOf())?.thread).toMatchObject({ turn: 'recipient', unread: 1, lastBy: 'you' }),
  )
})

test('catches up with messages after the hub returns', async ({ service, arbitrator, dispute, ownOf }) => {
  await claimedBy(arbitrator.actor, dispute.id)
  await eventually(async () => expect((await ownOf())?.thread).toMatchObject({ unread: 0 }))
  await service.call('POST', '/sandbox/hub/drop', { body: { downMs: 60_000 } })
  await dispute.post('one')
  await eventually(async () => expect((await ownOf())?.thread?.unread).toBe(1))
  await service.call('POST', '/sandbox/hub/drop', { body: { downMs: 0 } })
  await dispute.post('two', 'ben')
  await eventually(async () => expect((await ownOf())?.thread?.unread).toBe(2))
})

test('a case that somebody resolves is none of one’s own any more', async ({ arbitrator, dispute, ownOf }) => {
  await claimedBy(arbitrator.actor, dispute.id)
  await eventually(async () => expect(await ownOf()).toBeDefined())
  await dispute.resolve('Delivered.')
  await eventually(async () => {
    expect(await ownOf()).toBeUndefined()
    expect(await claimOf(await store(), dispute.id)).toBeNull()
  })
})

test('who may not work on cases is told of none, whatever is assigned to them', async ({
  service,
  signIn,
  dispute,
}) => {
  const viewer = await signIn('viewer@example.com', '4')
  await claimedBy(viewer.actor, dispute.id)
  await eventually(async () => expect(await assignedCasesOf(viewer)).toBeNull())
  expect(await service.arrived('GET', '/api/v1/Dispute/{caseId}')).toBe(0)
})

test('shows only the id of an invisible case', async ({ signIn, arbitrator, dispute, ownOf }) => {
  const stranger = await signIn('cleo@example.com', '13')
  await dispute.post('Where is it?')
  await readWholeThread(arbitrator, dispute.id)
  await claimedBy(stranger.actor, dispute.id)
  expect(await ownOf(stranger)).toEqual({ id: dispute.id, reason: null, thread: null, openSince: null })
})

describe('a watched case', () => {
  test('counts unread messages like an assigned one', async ({ arbitrator, dispute, ownOf, watch }) => {
    await watch(arbitrator)
    await eventually(async () => expect((await ownOf())?.thread).toMatchObject({ unread: 0 }))
    await dispute.post('Where is it?')
    await eventually(async () => expect(unreadIn((await assignedCasesOf(arbitrator)) ?? null)).toBe(1))
    expect((await ownOf())?.notice).toMatchObject({ assigned: false, watch: { resolved: false } })
  })

  test('stays after its end until that is seen', async ({ arbitrator, dispute, ownOf, watch }) => {
    const { command } = await watch(arbitrator)
    await dispute.post('Where is it?')
    await eventually(async () => expect((await ownOf())?.thread?.unread).toBe(1))
    expect((await ownOf())?.openSince).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    await dispute.resolve('Delivered.')
    await eventually(async () => expect((await ownOf())?.notice?.watch?.resolved).toBe(true))
    expect(await ownOf()).toMatchObject({ thread: { unread: 0 }, openSince: null })
    // The index of cases may learn of the end later than the watch.
    await eventually(async () => {
      await endWatches(arbitrator.actor, 'seen', dispute.id)
      expect(await ownOf()).toBeUndefined()
    })
    expect((await findEvents(await store(), command.id)).at(-1)?.body).toContain('seen')
  })

  test('is still shown while its assignee has snoozed it', async ({ arbitrator, dispute, ownOf, watch, signIn }) => {
    const admin = await signIn('admin@example.com', '3')
    await runCommand(admin, 'case.assign', { caseId: dispute.id })
    await runCommand(admin, 'case.snooze', { caseId: dispute.id, until: inDays(7) })
    await watch(arbitrator)
    expect(await ownOf()).toMatchObject({ id: dispute.id })
    expect((await assignedCasesWithin(admin, 10_000))?.snoozed).toBe(1)
  })

  test('ends for a person who lost the scope', async ({ signIn, arbitrator, dispute, watch }) => {
    const viewer = await signIn('viewer@example.com', '4')
    const { command } = await watch(arbitrator)
    const rows = (await store()).updateTable('case_watch').set({ actor: viewer.actor })
    await rows.where('command_id', '=', command.id).execute()
    await eventually(async () => expect(await assignedCasesOf(viewer)).toBeNull())
    expect(await watchOf(await store(), { actor: viewer.actor, caseId: dispute.id })).toBeNull()
    expect((await findEvents(await store(), command.id)).at(-1)?.body).toContain('may no longer see disputes')
  })
})

describe('a case that mentions the person', () => {
  test('is shown with its author, and counts no messages', async ({ arbitrator, dispute, ownOf, mention }) => {
    await mention(arbitrator)
    await dispute.post('Where is it?')
    await eventually(async () => expect((await ownOf())?.thread?.unread).toBe(1))
    expect((await ownOf())?.notice).toMatchObject({ assigned: false, watch: null, mention: { by: expect.any(String) } })
    expect(unreadIn((await assignedCasesOf(arbitrator)) ?? null)).toBe(0)
  })

  test('is shown although the person snoozed it', async ({ arbitrator, dispute, ownOf, mention }) => {
    await runCommand(arbitrator, 'case.assign', { caseId: dispute.id })
    await runCommand(arbitrator, 'case.snooze', { caseId: dispute.id, until: inDays(7) })
    await mention(arbitrator)
    expect((await ownOf())?.notice).toMatchObject({ assigned: true, mention: {} })
  })

  test.for([
    ['who may not see it', 'cleo@example.com', '13'],
    ['who is a party to it', 'ana@example.com', '11'],
  ] as const)('is not shown to a person %s', async ([_who, email, end], { signIn, arbitrator, mention }) => {
    const stranger = await signIn(email, end)
    await mention(arbitrator)
    await (await store()).updateTable('case_mention').set({ actor: stranger.actor }).execute()
    expect((await assignedCasesWithin(stranger, 10_000)) ?? { cases: [] }).toMatchObject({ cases: [] })
  })
})

test('a party of the case is told nothing of it, even where it is assigned to them', async ({
  signIn,
  arbitrator,
  dispute,
  ownOf,
}) => {
  const party = await signIn('ana@example.com', '11')
  await dispute.post('Where is it?', 'ben')
  await readWholeThread(arbitrator, dispute.id)
  await claimedBy(party.actor, dispute.id)
  expect(await ownOf(party)).toEqual({ id: dispute.id, reason: null, thread: null, openSince: null })
})
