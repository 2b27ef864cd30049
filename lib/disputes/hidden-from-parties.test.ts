import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { activityInParts, activityPage } from '#lib/activity/activity.ts'
import { ALL_ACTIVITY } from '#lib/activity/activity-filter.ts'
import { commandHistory } from '#lib/activity/history.ts'
import { exportEvidence } from '#lib/commands/evidence.ts'
import { requestPage } from '#lib/commands/policy/approval-list.ts'
import { readApproval } from '#lib/commands/policy/approval-view.ts'
import { askForApproval } from '#lib/commands/policy/approvals.ts'
import { insertDraft, moveCommand } from '#lib/commands/store.ts'
import { latestCommand } from '#lib/commands/view.ts'
import { lookUp } from '#lib/look-up/look-up.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { decide } from '#lib/testing/approval-world.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { draftForTest } from '#lib/testing/gated-deposit.ts'
import { raiseCase } from '#lib/testing/test-case.ts'
import { serviceTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { readWholeThread } from './thread/case-thread.ts'
import { recordCandidate } from './workspace/case-people.ts'

const NOTE = 'The recipient is a colleague of ours'
const DECIDED = { view: 'decided', kind: null, by: null, status: null, since: null, until: null } as const

/** Ana disputes what she paid the arbitrator, and the admin is the assignee. */
const test = serviceTest
  .extend('environment', {
    REQUIRE_ENROLMENT: 'off',
    STAFF_ADMIN_SCOPES: 'core:transactions:confirm,core:disputes:resolve',
  })
  .extend('partyId', () => userIdOf('2'))
  .extend('dispute', ({ service, partyId }) => raiseCase(service, 5, partyId))
  .extend('reassigned', async ({ admin, newcomer, dispute }) => {
    await recordCandidate(newcomer)
    await runCommand(admin, 'case.assign', { caseId: dispute.id })
    const params = { caseId: dispute.id, to: newcomer.actor, note: NOTE }
    return (await runCommand(admin, 'case.reassign', params)).command.id
  })
  .extend('decided', async ({ newcomer, dispute }) => {
    const thread = await readWholeThread(newcomer, dispute.id)
    if (!thread.ok) throw new Error('not read')
    const id = await draftForTest(newcomer, 'dispute.resolve', {
      ...{ caseId: dispute.id, referenceId: dispute.referenceId, decision: 'refund', reason: 'The parcel never left.' },
      latestMessageId: thread.value.messages.at(-1)?.id ?? '',
    })
    await askForApproval(newcomer, id, { reason: 'The carrier says so', proof: null })
    return id
  })

async function kindsIn(session: Session, text: string): Promise<readonly string[]> {
  const filter = { ...ALL_ACTIVITY, text }
  const { rows, total } = await activityPage(session, filter, { page: 1, size: 20 })
  expect(total).toBe(rows.length)
  const parts = await Array.fromAsync(activityInParts(session, filter, 20))
  expect(parts.flatMap((part) => part.rows.map(({ kind }) => kind))).toEqual(rows.map(({ kind }) => kind))
  return rows.map(({ kind }) => kind)
}

async function changesFound(session: Session, text: string): Promise<number> {
  const frames = await Array.fromAsync(lookUp(session, text))
  return frames.flatMap((frame) => (frame.kind === 'found' && frame.source === 'changes' ? frame.found : [])).length
}

test('hides assignments of a case from its party', async ({ arbitrator, newcomer, dispute, reassigned }) => {
  expect(await kindsIn(newcomer, dispute.id)).toEqual(['case.reassign', 'case.assign'])
  expect(await changesFound(newcomer, dispute.id)).toBe(2)
  expect(JSON.stringify(await exportEvidence(newcomer, reassigned))).toContain(NOTE)
  expect(await kindsIn(arbitrator, dispute.id)).toEqual([])
  expect(await changesFound(arbitrator, dispute.id)).toBe(0)
  expect(await changesFound(arbitrator, reassigned)).toBe(0)
  expect(await commandHistory(arbitrator, reassigned)).toBeNull()
  expect(await exportEvidence(arbitrator, reassigned)).toBeNull()
})

test('shows a party their change of their own case', async ({ arbitrator, dispute }) => {
  const { command } = await runCommand(arbitrator, 'dispute.message', { caseId: dispute.id, body: 'Hello' })
  expect(await kindsIn(arbitrator, dispute.id)).toEqual(['dispute.message'])
  expect(await commandHistory(arbitrator, command.id)).not.toBeNull()
})

describe('under a rule for decisions', () => {
  const ruled = test.extend('rules', (): readonly unknown[] => [{ kind: 'dispute.resolve', approval: { by: 1 } }])

  ruled('hides a decision of a case from its party', async ({ admin, arbitrator, newcomer, dispute, decided }) => {
    await decide(admin, decided)
    expect(await kindsIn(newcomer, decided)).toEqual(['approval.approve', 'dispute.resolve'])
    expect((await requestPage(admin, DECIDED, { page: 1, size: 20 })).total).toBe(1)
    expect(await kindsIn(arbitrator, decided)).toEqual([])
    expect(await readApproval(arbitrator, decided)).toBeNull()
    expect(await requestPage(arbitrator, DECIDED, { page: 1, size: 20 })).toMatchObject({ rows: [], total: 0 })
    expect(await latestCommand(arbitrator, 'dispute.resolve', dispute.id)).toBeNull()
  })

  ruled('tells a party why they cannot approve', async ({ arbitrator, decided }) => {
    expect(await decide(arbitrator, decided)).toMatchObject({
      problem: { status: 403, title: expect.stringContaining('a party') },
    })
  })
})

describe('of an administrator', () => {
  const ofAdmin = test.extend('partyId', () => userIdOf('3'))

  ofAdmin('hides evidence of a hidden change from a party', async ({ admin, arbitrator, newcomer, dispute }) => {
    const { command } = await runCommand(newcomer, 'case.assign', { caseId: dispute.id })
    await exportEvidence(arbitrator, command.id)
    expect(await kindsIn(arbitrator, command.id)).toEqual(['evidence.export', 'case.assign'])
    expect(await kindsIn(admin, command.id)).toEqual([])
  })

  ofAdmin.for(['dispute.settle', 'change.erase'])(
    'hides %s from a party',
    async (kind, { admin, arbitrator, dispute }) => {
      await runCommand(arbitrator, 'case.assign', { caseId: dispute.id })
      const [db, id, { actor, displayName: actorName }] = [await store(), randomUUID(), arbitrator]
      await insertDraft(db, { id, kind, actor, actorName, target: dispute.id, params: '{}', facts: '{}' })
      await moveCommand(db, id, { from: ['draft'], to: 'done' })
      expect(await kindsIn(arbitrator, id)).toEqual([kind])
      expect(await kindsIn(admin, id)).toEqual([])
    },
  )
})
