import { beforeEach, describe, expect, test } from 'vitest'
import { findEvents } from '#lib/commands/journal/chain.ts'
import { claimFilters, everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import { recordThread } from '#lib/disputes/unread/thread-table.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { caseWorld, userIdOf } from '#lib/testing/case-world.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import type { TestCase } from '#lib/testing/test-case.ts'
import type { TestService } from '#lib/testing/test-service.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { recordCandidate } from './case-people.ts'
import { readCaseWorkspace } from './case-workspace.ts'
import { snoozeFault } from './workspace.ts'
import { snoozesOf, wakeOnMessage } from './workspace-tables.ts'

let service: TestService
let dispute: TestCase
let arbitrator: Session
let admin: Session

beforeEach(async () => {
  ;({ service, dispute, arbitrator, admin } = await caseWorld())
  await runCommand(arbitrator, 'case.assign', { caseId: dispute.id })
})

const later = (ms: number) => new Date(Date.now() + ms).toISOString()
const snooze = async (until: string) =>
  (await runCommand(arbitrator, 'case.snooze', { caseId: dispute.id.toUpperCase(), until })).command
const snoozed = async () => (await snoozesOf(await store(), [dispute.id])).get(dispute.id)
const fieldsOf = async (who: Session, kind: 'case.snooze' | 'case.wake', change: object = {}) => {
  const drafted = await draftOf(who, kind, { caseId: dispute.id, ...change })
  return drafted.ok ? [] : Object.keys(drafted.fields)
}
/** This console reads the thread, as it does of one's own cases. */
async function noted(): Promise<void> {
  const thread = await readWholeThread(arbitrator, dispute.id)
  if (thread.ok) await recordThread(dispute.id, thread.value.messages)
}

/** In which of the queue's choices by assignee the case stands. */
const shown = async (who: Session) => {
  for (const claim of claimFilters) {
    const { rows } = await queueFor(who, { ...everyOpenCase, claim }, { page: 1, size: 100 })
    if (rows.some(({ id }) => id === dispute.id)) return claim
  }
  return null
}

describe('a snoozed case', () => {
  test('is not among one’s own in the queue, says until when, and stays with its assignee', async () => {
    expect(await shown(arbitrator)).toBe('mine')
    const until = later(3_600_000)
    expect((await snooze(until)).outcome.class).toBe('done')
    expect([await shown(arbitrator), await shown(admin)]).toEqual(['snoozed', 'others'])
    const workspace = await readCaseWorkspace(arbitrator, dispute.id)
    expect(workspace).toMatchObject({ value: { snooze: { until }, claim: { holder: arbitrator.actor } } })
  })

  test('is among one’s own again when its time is over, or it is woken by hand', async () => {
    await snooze(later(3_600_000))
    expect(await shown(arbitrator)).toBe('snoozed')
    await (await store())
      .updateTable('case_snooze')
      .set({ until: later(-1) })
      .execute()
    expect(await shown(arbitrator)).toBe('mine')
    await snooze('')
    expect(await snoozed()).toEqual({ until: null })
    await runCommand(arbitrator, 'case.wake', { caseId: dispute.id })
    expect(await snoozed()).toBeUndefined()
  })

  test('until an answer is woken by the next message of a party, and by nobody else’s', async () => {
    await shown(arbitrator)
    await dispute.post('Sent on Friday.', 'ben')
    const { id } = await snooze('')
    await noted()
    await runCommand(admin, 'dispute.message', { caseId: dispute.id, body: 'Which day was it?' })
    await noted()
    expect(await snoozed()).toEqual({ until: null })
    await dispute.post('It was a Friday.', 'ana')
    // Whoever of the staff has the case open learns of it.
    await readCaseWorkspace(admin, dispute.id)
    expect(await snoozed()).toBeUndefined()
    const events = await findEvents(await store(), id)
    expect(events.at(-1)?.body).toContain('a party of the case wrote')
  })

  test('until an answer is woken by one that was noted, also when nobody has the case open', async () => {
    await shown(arbitrator)
    await snooze('')
    await noted()
    expect(await snoozed()).toEqual({ until: null })
    await dispute.post('It was a Friday.', 'ana')
    await noted()
    expect(await snoozed()).toBeUndefined()
  })

  test('is woken by a message only where it waits for one', async () => {
    await snooze(later(3_600_000))
    await wakeOnMessage(dispute.id)
    expect(await snoozed()).toBeDefined()
    await snooze('')
    await wakeOnMessage(dispute.id.toUpperCase())
    expect(await snoozed()).toBeUndefined()
  })

  test('is snoozed no more once somebody else has it, nobody does, or it is resolved', async () => {
    await snooze('')
    await runCommand(admin, 'case.reassign-to-me', { caseId: dispute.id, from: arbitrator.actor })
    expect(await snoozed()).toBeUndefined()
    await runCommand(admin, 'case.snooze', { caseId: dispute.id, until: '' })
    await runCommand(admin, 'case.unassign', { caseId: dispute.id })
    expect(await snoozed()).toBeUndefined()
    await runCommand(arbitrator, 'case.assign', { caseId: dispute.id })
    await snooze('')
    await dispute.resolve('Delivered.')
    await readCaseWorkspace(await signedIn(service, 'newcomer@example.com', userIdOf('5')), dispute.id)
    expect(await snoozed()).toBeUndefined()
  })

  test('is snoozed and woken by its assignee alone', async () => {
    expect(await fieldsOf(admin, 'case.snooze', { until: '' })).toEqual(['caseId'])
    expect(await fieldsOf(admin, 'case.wake')).toEqual(['caseId'])
    const ana = await signedIn(service, 'ana@example.com', userIdOf('11'))
    const viewer = await signedIn(service, 'viewer@example.com', userIdOf('4'))
    for (const who of [ana, viewer]) {
      const drafted = await draftOf(who, 'case.snooze', { caseId: dispute.id, until: '' })
      expect(drafted).toMatchObject({ ok: false, problem: { status: 403 } })
    }
    expect(await snoozed()).toBeUndefined()
  })
})

test.each([
  ['', null],
  ['soon', 'Enter a day and a time.'],
  ['2026-11-20T10:00:00.000Z', 'This time has passed'],
  ['2026-11-20T10:00:01.000Z', null],
  ['2027-02-18T10:00:00.000Z', null],
  ['2027-02-18T10:00:01.000Z', 'At most 90 days'],
])('of a snooze until %j it says %j', (until, said) => {
  const fault = snoozeFault(until, Date.parse('2026-11-20T10:00:00.000Z'))
  if (said === null) expect(fault).toBeNull()
  else expect(fault).toContain(said)
})

describe('reassigning with a note', () => {
  const reassign = (note: string) => ({ caseId: dispute.id, to: admin.actor, note })

  test('gives the case and adds the note in one, and no history has its words', async () => {
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

  test('adds none where nothing was written, and is refused at the field where the note is wrong', async () => {
    await recordCandidate(admin)
    const drafted = await draftOf(arbitrator, 'case.reassign', reassign('4242 4242 4242 4242'))
    expect(drafted).toMatchObject({ fields: { note: expect.stringContaining('card number') } })
    await runCommand(arbitrator, 'case.reassign', reassign(' '))
    expect(await readCaseWorkspace(admin, dispute.id)).toMatchObject({ value: { notes: [] } })
  })
})
