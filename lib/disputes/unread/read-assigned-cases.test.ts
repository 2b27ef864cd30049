import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
import { inDays, raiseCase, type TestCase } from '#lib/testing/test-case.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { freshWorld, type TestService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { type AssignedCase, unreadIn } from './assigned-cases.ts'
import { assignedCasesOf, assignedCasesWithin } from './read-assigned-cases.ts'
import { recordSeen } from './thread-table.ts'

const idOf = (end: string) => `00000000-0000-4000-8000-${end.padStart(12, '0')}`

let service: TestService
let dispute: TestCase
let arbitrator: Session
const others: Session[] = []

beforeEach(async () => {
  service = await freshWorld()
  dispute = await raiseCase(service)
  arbitrator = await signedIn(service, 'arbitrator@example.com', idOf('2'))
})

afterEach(async () => {
  // Ends the line to the hub as well.
  for (const { id } of [arbitrator, ...others.splice(0)]) await endSession(id, 'signed-out')
})

async function ownOf(session = arbitrator): Promise<AssignedCase | undefined> {
  return (await assignedCasesWithin(session, 10_000))?.cases[0]
}

test('shows an own case’s unread message until it is seen', async () => {
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

test('keeps a snoozed case silent until a party writes', async () => {
  await claimedBy(arbitrator.actor, dispute.id)
  await eventually(async () => expect((await ownOf())?.thread).toMatchObject({ turn: 'us' }))
  await runCommand(arbitrator, 'case.snooze', { caseId: dispute.id, until: inDays(7) })
  expect(await assignedCasesOf(arbitrator)).toEqual({ cases: [], more: { assigned: 0, watched: 0 }, snoozed: 1 })
  await dispute.post('It was a Friday.')
  await eventually(async () => expect((await ownOf())?.thread).toMatchObject({ turn: 'us', unread: 1 }))
})

test('one’s own message is never unread, and turns the case over to the party who wrote last', async () => {
  await dispute.post('I sent it.', 'ben')
  await claimedBy(arbitrator.actor, dispute.id)
  await runCommand(arbitrator, 'dispute.message', { caseId: dispute.id, body: 'By which courier?' })
  await eventually(async () =>
    expect((await ownOf())?.thread).toMatchObject({ turn: 'recipient', unread: 1, lastBy: 'you' }),
  )
})

test('catches up with messages after the hub returns', async () => {
  await claimedBy(arbitrator.actor, dispute.id)
  await eventually(async () => expect((await ownOf())?.thread).toMatchObject({ unread: 0 }))
  await service.call('POST', '/sandbox/hub/drop', { body: { downMs: 60_000 } })
  await dispute.post('one')
  await eventually(async () => expect((await ownOf())?.thread?.unread).toBe(1))
  await service.call('POST', '/sandbox/hub/drop', { body: { downMs: 0 } })
  await dispute.post('two', 'ben')
  await eventually(async () => expect((await ownOf())?.thread?.unread).toBe(2))
})

test('a case that somebody resolves is none of one’s own any more', async () => {
  await claimedBy(arbitrator.actor, dispute.id)
  await eventually(async () => expect(await ownOf()).toBeDefined())
  await dispute.resolve('Delivered.')
  await eventually(async () => {
    expect(await ownOf()).toBeUndefined()
    expect(await claimOf(await store(), dispute.id)).toBeNull()
  })
})

test('who may not work on cases is told of none, whatever is assigned to them', async () => {
  const viewer = await signedIn(service, 'viewer@example.com', '00000000-0000-4000-8000-000000000004')
  others.push(viewer)
  await claimedBy(viewer.actor, dispute.id)
  await eventually(async () => expect(await assignedCasesOf(viewer)).toBeNull())
  expect(await service.arrived('GET', '/api/v1/Dispute/{caseId}')).toBe(0)
})

test('shows only the id of an invisible case', async () => {
  const stranger = await signedIn(service, 'cleo@example.com', idOf('13'))
  others.push(stranger)
  await dispute.post('Where is it?')
  await readWholeThread(arbitrator, dispute.id)
  await claimedBy(stranger.actor, dispute.id)
  expect(await ownOf(stranger)).toEqual({ id: dispute.id, reason: null, thread: null, openSince: null })
})

describe('a watched case', () => {
  const watch = (who: Session) => runCommand(who, 'case.watch', { caseId: dispute.id, watching: true })
  const colleague = async () => {
    const admin = await signedIn(service, 'admin@example.com', idOf('3'))
    others.push(admin)
    return admin
  }

  test('counts unread messages like an assigned one', async () => {
    await watch(arbitrator)
    await eventually(async () => expect((await ownOf())?.thread).toMatchObject({ unread: 0 }))
    await dispute.post('Where is it?')
    await eventually(async () => expect(unreadIn((await assignedCasesOf(arbitrator)) ?? null)).toBe(1))
    expect((await ownOf())?.notice).toMatchObject({ assigned: false, watch: { resolved: false } })
  })

  test('stays after its end until that is seen', async () => {
    const { command } = await watch(arbitrator)
    await dispute.post('Where is it?')
    await eventually(async () => expect((await ownOf())?.thread?.unread).toBe(1))
    expect((await ownOf())?.openSince).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    await dispute.resolve('Delivered.')
    await eventually(async () => expect((await ownOf())?.notice?.watch?.resolved).toBe(true))
    expect(await ownOf()).toMatchObject({ thread: { unread: 0 }, openSince: null })
    await endWatches(arbitrator.actor, 'seen', dispute.id)
    expect(await ownOf()).toBeUndefined()
    expect((await findEvents(await store(), command.id)).at(-1)?.body).toContain('seen')
  })

  test('is still shown while its assignee has snoozed it', async () => {
    const admin = await colleague()
    await runCommand(admin, 'case.assign', { caseId: dispute.id })
    await runCommand(admin, 'case.snooze', { caseId: dispute.id, until: inDays(7) })
    await watch(arbitrator)
    expect(await ownOf()).toMatchObject({ id: dispute.id })
    expect((await assignedCasesWithin(admin, 10_000))?.snoozed).toBe(1)
  })

  test('ends for a person who lost the scope', async () => {
    const viewer = await signedIn(service, 'viewer@example.com', idOf('4'))
    others.push(viewer)
    const { command } = await watch(arbitrator)
    const rows = (await store()).updateTable('case_watch').set({ actor: viewer.actor })
    await rows.where('command_id', '=', command.id).execute()
    await eventually(async () => expect(await assignedCasesOf(viewer)).toBeNull())
    expect(await watchOf(await store(), { actor: viewer.actor, caseId: dispute.id })).toBeNull()
    expect((await findEvents(await store(), command.id)).at(-1)?.body).toContain('may no longer see disputes')
  })
})

describe('a case that mentions the person', () => {
  const mention = async (who: Session) => {
    await recordCandidate(who)
    const by = await signedIn(service, 'newcomer@example.com', idOf('5'))
    others.push(by)
    const text = `Ask @${who.displayName}.`
    return await runCommand(by, 'case.note', { caseId: dispute.id, text, mentions: [who.actor] })
  }

  test('is shown with its author, and counts no messages', async () => {
    await mention(arbitrator)
    await dispute.post('Where is it?')
    await eventually(async () => expect((await ownOf())?.thread?.unread).toBe(1))
    expect((await ownOf())?.notice).toMatchObject({ assigned: false, watch: null, mention: { by: expect.any(String) } })
    expect(unreadIn((await assignedCasesOf(arbitrator)) ?? null)).toBe(0)
  })

  test('is shown although the person snoozed it', async () => {
    await runCommand(arbitrator, 'case.assign', { caseId: dispute.id })
    await runCommand(arbitrator, 'case.snooze', { caseId: dispute.id, until: inDays(7) })
    await mention(arbitrator)
    expect((await ownOf())?.notice).toMatchObject({ assigned: true, mention: {} })
  })

  test.each([
    ['who may not see it', 'cleo@example.com', '13'],
    ['who is a party to it', 'ana@example.com', '11'],
  ])('is not shown to a person %s', async (_who, email, end) => {
    const stranger = await signedIn(service, email, idOf(end))
    others.push(stranger)
    await mention(arbitrator)
    await (await store()).updateTable('case_mention').set({ actor: stranger.actor }).execute()
    expect((await assignedCasesWithin(stranger, 10_000)) ?? { cases: [] }).toMatchObject({ cases: [] })
  })
})

test('a party of the case is told nothing of it, even where it is assigned to them', async () => {
  const party = await signedIn(service, 'ana@example.com', idOf('11'))
  others.push(party)
  await dispute.post('Where is it?', 'ben')
  await readWholeThread(arbitrator, dispute.id)
  await claimedBy(party.actor, dispute.id)
  expect(await ownOf(party)).toEqual({ id: dispute.id, reason: null, thread: null, openSince: null })
})
