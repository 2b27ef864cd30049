import { describe, expect } from 'vitest'
import { recordAtOnce } from '#lib/commands/record.ts'
import { claimFilters, everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import { recordThread } from '#lib/disputes/unread/thread-table.ts'
import { findEvents } from '#lib/journal/event.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { inDays } from '#lib/testing/test-case.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { recordCandidate } from './case-people.ts'
import { caseSnooze } from './case-snooze.ts'
import { readCaseWorkspace } from './case-workspace.ts'
import { laterTimeFault } from './workspace.ts'
import { snoozesOf, wakeOnMessage } from './workspace-tables.ts'

const test = caseTest
  .extend('snooze', ({ arbitrator, dispute }) => async (until: string) => {
    return (await runCommand(arbitrator, 'case.snooze', { caseId: dispute.id.toUpperCase(), until })).command
  })
  .extend('snoozed', ({ dispute }) => async () => {
    return (await snoozesOf(await store(), [dispute.id])).get(dispute.id)
  })
  .extend('fieldsOf', ({ dispute }) => async (who: Session, kind: 'case.snooze' | 'case.wake', change: object = {}) => {
    const drafted = await draftOf(who, kind, { caseId: dispute.id, ...change })
    return drafted.ok ? [] : Object.keys(drafted.fields)
  })
  /** This console reads the thread, as it does of one's own cases. */
  .extend('noted', ({ arbitrator, dispute }) => async (): Promise<void> => {
    const thread = await readWholeThread(arbitrator, dispute.id)
    if (thread.ok) await recordThread(dispute.id, thread.value.messages)
  })
  /** In which of the queue's choices by assignee the case stands. */
  .extend('shown', ({ dispute }) => async (who: Session) => {
    for (const claim of claimFilters) {
      const { rows } = await queueFor(who, { ...everyOpenCase, claim }, { page: 1, size: 100 })
      if (rows.some(({ id }) => id === dispute.id)) return claim
    }
    return null
  })
  .extend('reassign', ({ admin, dispute }) => (note: string) => ({ caseId: dispute.id, to: admin.actor, note }))

test.beforeEach(async ({ arbitrator, dispute }) => {
  await runCommand(arbitrator, 'case.assign', { caseId: dispute.id })
})

const later = (ms: number) => new Date(Date.now() + ms).toISOString()
const setUntil = async (until: string | null) =>
  await (await store()).updateTable('case_snooze').set({ until }).execute()

describe('a snoozed case', () => {
  test('is not among one’s own in the queue, says until when, and stays with its assignee', async ({
    arbitrator,
    admin,
    dispute,
    snooze,
    shown,
  }) => {
    expect(await shown(arbitrator)).toBe('mine')
    const until = inDays(1)
    expect((await snooze(until)).outcome.class).toBe('done')
    expect([await shown(arbitrator), await shown(admin)]).toEqual(['snoozed', 'others'])
    const workspace = await readCaseWorkspace(arbitrator, dispute.id)
    expect(workspace).toMatchObject({ value: { snooze: { until }, claim: { holder: arbitrator.actor } } })
  })

  test('ends at its date although nobody wrote', async ({ arbitrator, dispute, snooze, snoozed, shown }) => {
    await snooze(inDays(1))
    expect(await shown(arbitrator)).toBe('snoozed')
    await setUntil(later(-1))
    expect(await shown(arbitrator)).toBe('mine')
    expect(await snoozed()).toBeUndefined()
    expect(await readCaseWorkspace(arbitrator, dispute.id)).toMatchObject({ value: { snooze: null } })
  })

  test('ends when a party writes before its date', async ({ arbitrator, dispute, snooze, snoozed, noted, shown }) => {
    await shown(arbitrator)
    const { id } = await snooze(inDays(1))
    await noted()
    expect(await snoozed()).toBeDefined()
    await dispute.post('It was a Friday.', 'ana')
    await noted()
    expect(await snoozed()).toBeUndefined()
    expect(await shown(arbitrator)).toBe('mine')
    const events = await findEvents(await store(), id)
    expect(events.at(-1)?.body).toContain('a party of the case wrote')
  })

  test('ends when a colleague opens the case after a party wrote', async ({
    arbitrator,
    admin,
    dispute,
    snooze,
    snoozed,
    shown,
  }) => {
    await shown(arbitrator)
    await snooze(inDays(1))
    await dispute.post('It was a Friday.', 'ana')
    await readCaseWorkspace(admin, dispute.id)
    expect(await snoozed()).toBeUndefined()
  })

  test('does not end when staff or the system writes', async ({
    arbitrator,
    admin,
    dispute,
    snooze,
    snoozed,
    noted,
    shown,
  }) => {
    await shown(arbitrator)
    await dispute.post('Sent on Friday.', 'ben')
    const until = inDays(1)
    await snooze(until)
    await noted()
    await runCommand(admin, 'dispute.message', { caseId: dispute.id, body: 'Which day was it?' })
    const system = { id: 'system', caseId: dispute.id, senderUserId: null, isSystemMessage: true, body: 'Noted.' }
    await recordThread(dispute.id, [{ ...system, createdAt: later(0) }])
    await noted()
    expect(await snoozed()).toEqual({ until })
  })

  test('is not snoozed when a party writes meanwhile', async ({ arbitrator, dispute, snoozed, noted }) => {
    const answered = {
      ...caseSnooze,
      async readFacts(...given: Parameters<typeof caseSnooze.readFacts>) {
        const facts = await caseSnooze.readFacts(...given)
        await dispute.post('Here is the proof.', 'ana')
        await noted()
        return facts
      },
    }
    const reply = await recordAtOnce(arbitrator, answered, { caseId: dispute.id, until: inDays(1) })
    expect(reply).toMatchObject({ command: { outcome: { class: 'refused', title: 'A party has written' } } })
    expect(await snoozed()).toBeUndefined()
  })

  test('without a date, as stored before, ends when a party writes', async ({
    arbitrator,
    dispute,
    snooze,
    snoozed,
    noted,
    shown,
  }) => {
    await shown(arbitrator)
    await snooze(inDays(1))
    await setUntil(null)
    await noted()
    expect([await snoozed(), await shown(arbitrator)]).toEqual([{ until: null }, 'snoozed'])
    await dispute.post('It was a Friday.', 'ana')
    await noted()
    expect(await snoozed()).toBeUndefined()
  })

  test('records no message as its end after its date', async ({ dispute, snooze }) => {
    const { id } = await snooze(inDays(1))
    await setUntil(later(-1))
    await wakeOnMessage(dispute.id.toUpperCase())
    const events = await findEvents(await store(), id)
    expect(events.at(-1)?.body).not.toContain('a party of the case wrote')
  })

  test('is woken by its assignee', async ({ arbitrator, dispute, snooze, snoozed }) => {
    await snooze(inDays(1))
    await runCommand(arbitrator, 'case.wake', { caseId: dispute.id })
    expect(await snoozed()).toBeUndefined()
  })

  test('needs a date', async ({ arbitrator, fieldsOf }) => {
    expect(await fieldsOf(arbitrator, 'case.snooze', { until: '' })).toEqual(['until'])
  })

  test('shows commands without a date as stored before', ({ dispute }) => {
    const facts = { ...{ holder: 'sso:me', holderName: 'me', since: inDays(0) }, status: 'OPEN', messages: '0' }
    expect(caseSnooze.summary({ caseId: dispute.id, until: '' }, facts).slice(1)).toEqual([
      { label: 'Snoozed until', value: 'a party writes', as: 'text' },
    ])
  })

  test('is snoozed no more once somebody else has it, nobody does, or it is resolved', async ({
    service,
    arbitrator,
    admin,
    dispute,
    snooze,
    snoozed,
  }) => {
    await snooze(inDays(1))
    await runCommand(admin, 'case.reassign-to-me', { caseId: dispute.id, from: arbitrator.actor })
    expect(await snoozed()).toBeUndefined()
    await runCommand(admin, 'case.snooze', { caseId: dispute.id, until: inDays(1) })
    await runCommand(admin, 'case.unassign', { caseId: dispute.id })
    expect(await snoozed()).toBeUndefined()
    await runCommand(arbitrator, 'case.assign', { caseId: dispute.id })
    await snooze(inDays(1))
    await dispute.resolve('Delivered.')
    await readCaseWorkspace(await signedIn(service, 'newcomer@example.com', userIdOf('5')), dispute.id)
    expect(await snoozed()).toBeUndefined()
  })

  test('is snoozed and woken by its assignee alone', async ({ service, admin, dispute, snoozed, fieldsOf }) => {
    expect(await fieldsOf(admin, 'case.snooze', { until: inDays(1) })).toEqual(['caseId'])
    expect(await fieldsOf(admin, 'case.wake')).toEqual(['caseId'])
    const ana = await signedIn(service, 'ana@example.com', userIdOf('11'))
    const viewer = await signedIn(service, 'viewer@example.com', userIdOf('4'))
    for (const who of [ana, viewer]) {
      const drafted = await draftOf(who, 'case.snooze', { caseId: dispute.id, until: inDays(1) })
      expect(drafted).toMatchObject({ ok: false, problem: { status: 403 } })
    }
    expect(await snoozed()).toBeUndefined()
  })
})

test.each([
  ['', 'Enter a day and a time.'],
  ['soon', 'Enter a day and a time.'],
  ['2026-11-20T10:00:00.000Z', 'This time has passed'],
  ['2026-11-20T10:00:01.000Z', null],
  ['2027-02-18T10:00:00.000Z', null],
  ['2027-02-18T10:00:01.000Z', 'At most 90 days'],
])('of a snooze until %j it says %j', (until, said) => {
  const fault = laterTimeFault(until, Date.parse('2026-11-20T10:00:00.000Z'))
  if (said === null) expect(fault).toBeNull()
  else expect(fault).toContain(said)
})

describe('reassigning with a note', () => {
  test('gives the case and adds the note in one, and no history has its words', async ({
    arbitrator,
    admin,
    dispute,
    reassign,
  }) => {
    await recordCandidate(admin)
    const { command } = await runCommand(arbitrator, 'case.reassign', reassign(' Ben calls on Monday. '))
    const workspace = await readCaseWorkspace(admin, dispute.id)
    if (!workspace.ok) throw new Error('no workspace')
    expect(workspace.value.claim?.holder).toBe(admin.actor)
    expect(workspace.value.notes.map(({ authorName, text }) => [authorName, text])).toEqual([
      ['arbitrator@example.com', 'Ben calls on Monday.'],
    ])
    expect(JSON.stringify(command)).not.toContain('Monday')
  })

  test('adds none where nothing was written, and is refused at the field where the note is wrong', async ({
    arbitrator,
    admin,
    dispute,
    reassign,
  }) => {
    await recordCandidate(admin)
    const drafted = await draftOf(arbitrator, 'case.reassign', reassign('4242 4242 4242 4242'))
    expect(drafted).toMatchObject({ fields: { note: expect.stringContaining('card number') } })
    await runCommand(arbitrator, 'case.reassign', reassign(' '))
    expect(await readCaseWorkspace(admin, dispute.id)).toMatchObject({ value: { notes: [] } })
  })
})
