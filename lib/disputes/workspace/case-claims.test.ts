import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { commandHistory } from '#lib/activity/history.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { executeCommand, sendAtOnce } from '#lib/commands/execute.ts'
import { recordAtOnce } from '#lib/commands/record.ts'
import { findCommand } from '#lib/commands/store.ts'
import { findEvents } from '#lib/journal/event.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { caseTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { caseAssign } from './case-assignment.ts'
import { recordCandidate } from './case-people.ts'
import { claimOf } from './workspace-tables.ts'

const test = caseTest
  .extend('holder', ({ dispute }) => async (): Promise<string | undefined> => {
    return (await claimOf(await store(), dispute.id))?.holderName
  })
  .extend('assignToSelf', ({ dispute }) => async (session: Session): Promise<CommandView> => {
    return (await runCommand(session, 'case.assign', { caseId: dispute.id.toUpperCase() })).command
  })
  .extend(
    'fieldsOf',
    ({ dispute }) =>
      async (session: Session, kind: 'case.assign' | 'case.reassign-to-me' | 'case.reassign', params: object) => {
        const drafted = await draftOf(session, kind, { caseId: dispute.id, ...params })
        return drafted.ok ? {} : drafted.fields
      },
  )
  /** The lines of a draft as the person reads them. */
  .extend('draftedLines', ({ dispute }) => async (session: Session, params: object) => {
    const drafted = await draftOf(session, 'case.reassign-to-me', { caseId: dispute.id, ...params })
    if (!drafted.ok) throw new Error(JSON.stringify(drafted))
    const { id, lines } = drafted.draft
    return { id, lines: Object.fromEntries(lines.map(({ label, value }) => [label, value])) }
  })
  .extend('hand', ({ dispute }) => async (who: Session, to: string) => {
    return (await runCommand(who, 'case.reassign', { caseId: dispute.id, to })).command
  })
  .extend('unassign', ({ dispute }) => (who: Session) => {
    return draftOf(who, 'case.unassign', { caseId: dispute.id })
  })

describe('assigning a case to oneself', () => {
  test('who assigns an unassigned case to themselves is its assignee, and the journal has it', async ({
    arbitrator,
    dispute,
    holder,
    assignToSelf,
  }) => {
    const { id, outcome } = await assignToSelf(arbitrator)
    expect(outcome.class).toBe('done')
    expect(await holder()).toBe('arbitrator@example.com')
    expect(await findCommand(await store(), id)).toMatchObject({
      kind: 'case.assign',
      state: 'done',
      target: dispute.id,
    })
  })

  test('who was the assignee of a case is told to staff that decides, and to nobody else', async ({
    service,
    arbitrator,
    admin,
    assignToSelf,
  }) => {
    const { id } = await assignToSelf(arbitrator)
    const viewer = await signedIn(service, 'viewer@example.com', userIdOf('4'))
    const ana = await signedIn(service, 'ana@example.com', userIdOf('11'))
    expect(await commandHistory(admin, id)).not.toBeNull()
    expect([await commandHistory(viewer, id), await commandHistory(ana, id)]).toEqual([null, null])
  })

  test('of many who assign it to themselves at once one gets it, and every other is told who', async ({
    arbitrator,
    admin,
    dispute,
    holder,
  }) => {
    const everybody = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? arbitrator : admin))
    const drafts = await Promise.all(everybody.map((who) => draftOf(who, 'case.assign', { caseId: dispute.id })))
    const replies = await Promise.all(
      drafts.map((drafted, n) => {
        if (!drafted.ok) throw new Error(JSON.stringify(drafted))
        return executeCommand(everybody[n] as Session, drafted.draft.id, { code: null, proof: null }, () => {})
      }),
    )
    const outcomes = replies.map((reply) => (reply.ok ? reply.command.outcome : null))
    expect(outcomes.filter((outcome) => outcome?.class === 'done')).toHaveLength(1)
    const winner = everybody[outcomes.findIndex((outcome) => outcome?.class === 'done')]?.displayName
    expect(await holder()).toBe(winner)
    // Whoever met another one on the way is told of that one, which has not won either.
    const words = new RegExp(`^Assigned to ${winner} at |^The assignee is being changed: `)
    for (const outcome of outcomes) {
      if (outcome?.class === 'done') continue
      expect(outcome).toMatchObject({ class: 'refused', sent: false, title: expect.stringMatching(words) })
    }
  })

  test('one that somebody else was assigned meanwhile is refused in words, with who and when', async ({
    arbitrator,
    admin,
    dispute,
    holder,
    assignToSelf,
  }) => {
    const drafted = await draftOf(admin, 'case.assign', { caseId: dispute.id })
    if (!drafted.ok) throw new Error(JSON.stringify(drafted))
    await assignToSelf(arbitrator)
    const late = await executeCommand(admin, drafted.draft.id, { code: null, proof: null }, () => {})
    const title = expect.stringMatching(/^Assigned to arbitrator@example\.com at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
    expect(late).toMatchObject({ ok: true, command: { outcome: { class: 'refused', sent: false, title } } })
    expect(await holder()).toBe('arbitrator@example.com')
  })

  test('one that is resolved is refused, and so is whoever lacks the scopes or cannot see it', async ({
    service,
    arbitrator,
    dispute,
    fieldsOf,
  }) => {
    await dispute.resolve('Delivered.')
    expect(await fieldsOf(arbitrator, 'case.assign', {})).toEqual({ caseId: expect.stringContaining('Resolved') })
    const viewer = await signedIn(service, 'viewer@example.com', userIdOf('4'))
    expect(await draftOf(viewer, 'case.assign', { caseId: dispute.id })).toMatchObject({
      problem: { status: 403, scope: 'core:disputes:message or core:disputes:resolve' },
    })
    const stranger = await signedIn(service, 'cleo@example.com', userIdOf('13'))
    expect(await draftOf(stranger, 'case.assign', { caseId: dispute.id })).toMatchObject({ problem: { status: 404 } })
  })

  test('a party of the case is refused, however they signed in', async ({ service, dispute }) => {
    const ana = await signedIn(service, 'ana@example.com', userIdOf('11'))
    expect(await draftOf(ana, 'case.assign', { caseId: dispute.id })).toMatchObject({ problem: { status: 403 } })
    const unknown = await signedInUnread(service, 'ana@example.com')
    expect(await draftOf(unknown, 'case.note', { caseId: dispute.id, text: 'x' })).toMatchObject({
      problem: { status: 403 },
    })
    const staff = await signedInUnread(service, 'arbitrator@example.com')
    expect(await draftOf(staff, 'case.assign', { caseId: dispute.id })).toMatchObject({
      problem: { status: 403, title: expect.stringContaining('could not be read') },
    })
  })

  test('two requests with one id assign and journal once', async ({ arbitrator, dispute }) => {
    const change = { id: randomUUID(), kind: caseAssign, params: { caseId: dispute.id } }
    const replies = await Promise.all([1, 2].map(() => sendAtOnce(arbitrator, change, () => {})))
    for (const reply of replies) expect(reply).toMatchObject({ ok: true, command: { outcome: { class: 'done' } } })
    const events = await findEvents(await store(), change.id)
    expect(events.map(({ state }) => state)).toEqual(['draft', 'sent', 'done'])
  })

  test('an assignment that fails leaves nothing behind', async ({ arbitrator, dispute }) => {
    const failing = { ...caseAssign, record: () => Promise.reject(new Error('the store is out')) }
    await expect(recordAtOnce(arbitrator, failing, { caseId: dispute.id })).rejects.toThrow('the store is out')
    const db = await store()
    expect(await db.selectFrom('command').select('id').where('target', '=', dispute.id).execute()).toEqual([])
    expect(await claimOf(db, dispute.id)).toBeNull()
  })
})

describe('reassigning a case to oneself', () => {
  test('names who has it and since when, and is with the other only after that is confirmed', async ({
    arbitrator,
    admin,
    dispute,
    holder,
    assignToSelf,
    draftedLines,
  }) => {
    await assignToSelf(arbitrator)
    const { id, lines } = await draftedLines(admin, { from: arbitrator.actor })
    const since = (await claimOf(await store(), dispute.id))?.since
    expect(lines).toMatchObject({ Assignee: 'arbitrator@example.com', Since: since })
    expect(await holder()).toBe('arbitrator@example.com')
    await executeCommand(admin, id, { code: null, proof: null }, () => {})
    expect(await holder()).toBe('admin@example.com')
  })

  test('is stopped when the case went to somebody else meanwhile', async ({
    arbitrator,
    admin,
    dispute,
    holder,
    assignToSelf,
    draftedLines,
  }) => {
    await assignToSelf(arbitrator)
    const { id } = await draftedLines(admin, { from: arbitrator.actor })
    await claimedBy('sso:third', dispute.id)
    const reply = await executeCommand(admin, id, { code: null, proof: null }, () => {})
    expect(reply).toMatchObject({ ok: true, command: { outcome: { class: 'changed' } } })
    expect(await holder()).toBe('sso:third@example.com')
  })

  test('from somebody who has it no more is refused, and so is one’s own', async ({
    arbitrator,
    admin,
    assignToSelf,
    fieldsOf,
  }) => {
    expect(await fieldsOf(admin, 'case.reassign-to-me', { from: arbitrator.actor })).toEqual({
      caseId: expect.stringContaining('This case is unassigned'),
    })
    await assignToSelf(arbitrator)
    expect(await fieldsOf(admin, 'case.reassign-to-me', { from: 'sso:third' })).toEqual({
      caseId: expect.stringContaining('Assigned to arbitrator@example.com'),
    })
    expect(Object.keys(await fieldsOf(arbitrator, 'case.reassign-to-me', { from: arbitrator.actor }))).toEqual([
      'caseId',
    ])
  })
})

describe('reassigning', () => {
  test('gives one’s own case to somebody who was seen here with the scope to decide it', async ({
    arbitrator,
    admin,
    holder,
    assignToSelf,
    hand,
  }) => {
    await assignToSelf(arbitrator)
    await recordCandidate(admin)
    const { outcome, title } = await hand(arbitrator, admin.actor)
    expect([outcome.class, title]).toEqual(['done', expect.stringContaining('admin@example.com')])
    expect(await holder()).toBe('admin@example.com')
  })

  test('takes a person: nobody unknown, nobody who is no staff or a party, not oneself', async ({
    service,
    arbitrator,
    assignToSelf,
    fieldsOf,
  }) => {
    for (const [email, end] of [
      ['ana@example.com', '11'],
      ['cleo@example.com', '13'],
      ['viewer@example.com', '4'],
      ['operator@example.com', '1'],
    ] as const) {
      await recordCandidate(await signedIn(service, email, userIdOf(end)))
    }
    await assignToSelf(arbitrator)
    await recordCandidate(arbitrator)
    const others = ['11', '13', '4', '1'].map((end) => `sso:${userIdOf(end)}`)
    for (const to of ['', 'sso:nobody', ...others, arbitrator.actor]) {
      expect(Object.keys(await fieldsOf(arbitrator, 'case.reassign', { to }))).toEqual(['to'])
    }
  })

  test('somebody else’s case, and an unassigned one, cannot be given away', async ({
    service,
    arbitrator,
    admin,
    assignToSelf,
    fieldsOf,
  }) => {
    await recordCandidate(arbitrator)
    expect(Object.keys(await fieldsOf(admin, 'case.reassign', { to: arbitrator.actor }))).toEqual(['caseId'])
    await assignToSelf(arbitrator)
    await recordCandidate(await signedIn(service, 'newcomer@example.com', userIdOf('5')))
    expect(await fieldsOf(admin, 'case.reassign', { to: `sso:${userIdOf('5')}` })).toEqual({
      caseId: expect.stringContaining('Assigned to arbitrator@example.com'),
    })
  })
})

describe('unassigning', () => {
  test('frees one’s own case, also when it is resolved by now', async ({
    arbitrator,
    dispute,
    holder,
    assignToSelf,
  }) => {
    await assignToSelf(arbitrator)
    await dispute.resolve('Delivered.')
    const { command } = await runCommand(arbitrator, 'case.unassign', { caseId: dispute.id })
    expect(command.outcome.class).toBe('done')
    expect(await holder()).toBeUndefined()
  })

  test('somebody else’s case stays theirs', async ({ arbitrator, admin, holder, assignToSelf, unassign }) => {
    await assignToSelf(arbitrator)
    expect(await unassign(admin)).toMatchObject({
      fields: { caseId: expect.stringContaining('arbitrator@example.com') },
    })
    expect(await holder()).toBe('arbitrator@example.com')
  })
})
