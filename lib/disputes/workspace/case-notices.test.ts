import { describe, expect } from 'vitest'
import { config } from '#lib/config/config.ts'
import { readCase } from '#lib/disputes/dispute-service.ts'
import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { findEvents } from '#lib/journal/event.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { recordCase } from '#lib/testing/listed-cases.ts'
import { inDays, raiseCase } from '#lib/testing/test-case.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { endWatches, noticesFor, recordHolderSeen, recordNotesSeen, watchOf } from './case-notices.ts'
import { recordCandidate } from './case-people.ts'
import { caseWatch } from './case-watch.ts'
import { readCaseWorkspace } from './case-workspace.ts'
import { RESOLVED_END } from './workspace-tables.ts'

const test = caseTest
  .extend('note', ({ dispute }) => async (by: Session, text: string, ...mentions: readonly string[]) => {
    return (await runCommand(by, 'case.note', { caseId: dispute.id.toUpperCase(), text, mentions })).command
  })
  .extend('mention', ({ note }) => (by: Session, who: Session) => {
    return note(by, `Ask @${nameOf(who)}.`, who.actor)
  })
  .extend('watch', ({ dispute }) => (who: Session, watching = true) => {
    return runCommand(who, 'case.watch', { caseId: dispute.id, watching })
  })
  .extend('noticeOf', ({ dispute }) => async ({ actor }: Session) => {
    return (await noticesFor(await store(), actor)).get(dispute.id.toLowerCase())
  })
  .extend('faultsOf', ({ dispute }) => async (by: Session, text: string, mentions: readonly string[]) => {
    const drafted = await draftOf(by, 'case.note', { caseId: dispute.id, text, mentions })
    return drafted.ok ? {} : drafted.fields
  })
  .extend('notesOf', ({ dispute }) => async (who: Session) => {
    const workspace = await readCaseWorkspace(who, dispute.id)
    return workspace.ok ? workspace.value.notes : []
  })
  .extend('seeNote', ({ dispute }) => async ({ actor }: Session, noteId: string, caseId = dispute.id) => {
    return recordNotesSeen(await store(), actor, caseId, noteId)
  })

test.beforeEach(async ({ arbitrator, admin }) => {
  for (const person of [arbitrator, admin]) await recordCandidate(person)
})

const nameOf = ({ displayName }: Session) => displayName
const listed = async (who: Session, notice: 'mentioned' | 'watching') =>
  queueFor(who, { ...everyOpenCase, notice }, { page: 1, size: 20 })

/** The keys that wake open pages of any process. */
async function newsAfter(act: () => Promise<unknown>): Promise<readonly string[]> {
  const db = await store()
  const news = db.selectFrom('news').select(['id', 'key']).orderBy('id')
  const before = (await news.execute()).at(-1)?.id ?? 0
  await act()
  return (await news.where('id', '>', before).execute()).map(({ key }) => key)
}

describe('a mention', () => {
  test('is stored by id and marked until its note is seen', async ({
    arbitrator,
    admin,
    mention,
    noticeOf,
    notesOf,
    seeNote,
  }) => {
    const { id } = await mention(arbitrator, admin)
    const of = [{ actor: admin.actor, name: nameOf(admin) }]
    expect(await notesOf(admin)).toMatchObject([{ mentions: of, isForMe: true }])
    expect(await notesOf(arbitrator)).toMatchObject([{ mentions: of, isForMe: false }])
    expect((await noticeOf(admin))?.mention).toMatchObject({ by: nameOf(arbitrator) })
    await seeNote(arbitrator, id)
    expect(await noticeOf(admin)).toBeDefined()
    await seeNote(admin, id)
    expect(await noticeOf(admin)).toBeUndefined()
    expect(await notesOf(admin)).toMatchObject([{ mentions: of, isForMe: false }])
  })

  test('marks the row and counts in the queue of its person alone', async ({ arbitrator, admin, dispute, mention }) => {
    await mention(arbitrator, admin)
    const view = await listed(admin, 'mentioned')
    expect(view.rows).toMatchObject([{ id: dispute.id, notices: ['mentioned'] }])
    expect(view.counts.notices).toEqual({ mentioned: 1, watching: 0 })
    const other = await listed(arbitrator, 'mentioned')
    expect([other.rows, other.counts.notices]).toEqual([[], { mentioned: 0, watching: 0 }])
  })

  test('is seen with a later note, and not with an earlier one', async ({
    arbitrator,
    admin,
    note,
    mention,
    noticeOf,
    seeNote,
  }) => {
    const first = await note(arbitrator, 'First.')
    await mention(arbitrator, admin)
    await seeNote(admin, first.id)
    expect(await noticeOf(admin)).toBeDefined()
    const last = await note(arbitrator, 'Last.')
    await seeNote(admin, last.id)
    expect(await noticeOf(admin)).toBeUndefined()
  })

  test('is not seen by a note of another case', async ({ service, arbitrator, admin, mention, noticeOf, seeNote }) => {
    const { id } = await mention(arbitrator, admin)
    const other = await raiseCase(service)
    await seeNote(admin, id, other.id)
    const elsewhere = await runCommand(arbitrator, 'case.note', { caseId: other.id, text: 'Later.' })
    await seeNote(admin, elsewhere.command.id)
    expect(await noticeOf(admin)).toBeDefined()
  })

  test('of oneself is none', async ({ arbitrator, mention, noticeOf, notesOf }) => {
    await mention(arbitrator, arbitrator)
    expect(await notesOf(arbitrator)).toMatchObject([{ mentions: [], isForMe: false }])
    expect(await noticeOf(arbitrator)).toBeUndefined()
  })

  test.for([
    ['an unknown person', 'sso:nobody'],
    ['a holder', `sso:${userIdOf('14')}`],
    ['a party', `sso:${userIdOf('11')}`],
    ['a viewer', `sso:${userIdOf('4')}`],
  ] as const)(
    'of %s is refused with field and rule',
    async ([_who, actor], { service, arbitrator, faultsOf, notesOf }) => {
      for (const [email, end] of [
        ['ana@example.com', '11'],
        ['viewer@example.com', '4'],
        ['dario@example.com', '14'],
      ] as const)
        await recordCandidate(await signedIn(service, email, userIdOf(end)))
      expect(await faultsOf(arbitrator, '@x', [actor])).toEqual({
        mentions: expect.stringContaining('cannot work on this case'),
      })
      expect(await notesOf(arbitrator)).toEqual([])
    },
  )

  test('needs the name in the text, and has a limit', async ({ arbitrator, admin, faultsOf }) => {
    expect(await faultsOf(arbitrator, 'No name.', [admin.actor])).toEqual({
      mentions: expect.stringContaining('does not name @'),
    })
    const many = Array.from({ length: 21 }, (_, at) => `sso:${at}`)
    expect(await faultsOf(arbitrator, 'Many.', many)).toEqual({ mentions: expect.stringContaining('at most 20') })
  })

  test('reaches other processes by the person’s and the case’s key', async ({
    arbitrator,
    admin,
    dispute,
    mention,
    notesOf,
    seeNote,
  }) => {
    const keys = await newsAfter(() => mention(arbitrator, admin))
    expect(keys).toEqual(expect.arrayContaining([`person:${admin.actor}`, `case:${dispute.id.toLowerCase()}`]))
    const [{ id = '' } = {}] = await notesOf(admin)
    expect(await newsAfter(() => seeNote(admin, id))).toContain(`person:${admin.actor}`)
    expect(await newsAfter(() => seeNote(admin, id))).toEqual([])
  })
})

describe('a watch', () => {
  test('is journaled, and ends by a second change', async ({ arbitrator, admin, dispute, watch, noticeOf }) => {
    const { command } = await watch(admin)
    expect(await watchOf(await store(), { actor: admin.actor, caseId: dispute.id })).toEqual({ notes: 0 })
    expect(command.title).toMatch(/^Watch case/)
    expect((await listed(admin, 'watching')).counts.notices).toEqual({ mentioned: 0, watching: 1 })
    expect(await readCaseWorkspace(admin, dispute.id)).toMatchObject({ value: { watch: { notes: 0 } } })
    expect(await readCaseWorkspace(arbitrator, dispute.id)).toMatchObject({ value: { watch: null } })
    await watch(admin, false)
    expect(await noticeOf(admin)).toBeUndefined()
    expect((await listed(admin, 'watching')).rows).toEqual([])
    expect((await verifyJournal(await store(), config())).faults).toEqual([])
  })

  test('is named by its change in the journal', ({ dispute }) => {
    const facts = { watching: 'yes', status: '' }
    expect(caseWatch.title({ caseId: dispute.id, watching: false }, facts)).toMatch(/^Stop watching case/)
    const { lines } = caseWatch.describeSuccess({ caseId: dispute.id, watching: true }, facts)
    expect(lines).toContainEqual({ label: 'Change', value: 'Watch', as: 'text' })
  })

  test('is refused twice, without one to end, and on a resolved case', async ({ admin, dispute, watch }) => {
    const fault = async (watching: boolean) => {
      const drafted = await draftOf(admin, 'case.watch', { caseId: dispute.id, watching })
      return drafted.ok ? null : drafted.fields.caseId
    }
    expect(await fault(false)).toContain('You do not watch')
    await watch(admin)
    expect(await fault(true)).toContain('You watch this case')
    await watch(admin, false)
    await dispute.resolve('Delivered.')
    expect(await fault(true)).toContain('Only an open case')
  })

  test('has news of others’ notes until they are seen', async ({
    arbitrator,
    admin,
    dispute,
    note,
    watch,
    noticeOf,
    seeNote,
  }) => {
    await note(arbitrator, 'Before.')
    await watch(admin)
    await note(admin, 'My own.')
    expect((await noticeOf(admin))?.watch).toEqual({ assignee: null, notes: 0 })
    await note(arbitrator, 'First.')
    const last = await note(arbitrator, 'Second.')
    expect((await noticeOf(admin))?.watch).toEqual({ assignee: null, notes: 2 })
    expect(await readCaseWorkspace(admin, dispute.id)).toMatchObject({ value: { watch: { notes: 2 } } })
    await seeNote(admin, last.id)
    expect((await noticeOf(admin))?.watch).toEqual({ assignee: null, notes: 0 })
  })

  test('has news of another assignee until seen, but not of one’s own change', async ({
    arbitrator,
    admin,
    dispute,
    watch,
    noticeOf,
  }) => {
    await watch(admin)
    await runCommand(arbitrator, 'case.assign', { caseId: dispute.id })
    expect((await noticeOf(admin))?.watch).toEqual({ assignee: nameOf(arbitrator), notes: 0 })
    await recordHolderSeen(await store(), { actor: admin.actor, caseId: dispute.id }, arbitrator.actor)
    expect((await noticeOf(admin))?.watch).toEqual({ assignee: null, notes: 0 })
    await runCommand(arbitrator, 'case.unassign', { caseId: dispute.id })
    expect((await noticeOf(admin))?.watch).toEqual({ assignee: '', notes: 0 })
    await runCommand(admin, 'case.assign', { caseId: dispute.id })
    await runCommand(admin, 'case.reassign', { caseId: dispute.id, to: arbitrator.actor })
    expect((await noticeOf(admin))?.watch).toEqual({ assignee: null, notes: 0 })
  })

  test('stays when the assignee snoozes the case', async ({ arbitrator, admin, dispute, watch, noticeOf }) => {
    await watch(admin)
    await runCommand(arbitrator, 'case.assign', { caseId: dispute.id })
    await runCommand(arbitrator, 'case.snooze', { caseId: dispute.id, until: inDays(1) })
    expect((await noticeOf(admin))?.watch).not.toBeNull()
  })

  test('ends with its reason in the journal', async ({ arbitrator, admin, watch, noticeOf }) => {
    const { command } = await watch(admin)
    await watch(arbitrator)
    await endWatches(admin.actor, 'the person left')
    expect([await noticeOf(admin), await noticeOf(arbitrator)]).toEqual([undefined, expect.anything()])
    expect((await findEvents(await store(), command.id)).at(-1)?.body).toContain('the person left')
  })

  test('of an open case does not end as resolved', async ({ admin, dispute, watch, noticeOf }) => {
    const endAsResolved = async () => {
      const found = await readCase(admin, dispute.id)
      if (found.ok) await recordCase(found.value)
      await endWatches(admin.actor, RESOLVED_END, dispute.id)
    }
    await watch(admin)
    await endAsResolved()
    expect(await noticeOf(admin)).toBeDefined()
    await dispute.resolve('Refunded.')
    await endAsResolved()
    expect(await noticeOf(admin)).toBeUndefined()
  })

  test.for([
    ['viewer@example.com', '4'],
    ['operator@example.com', '1'],
    ['ana@example.com', '11'],
    ['cleo@example.com', '13'],
  ] as const)('is refused to %s', async ([email, end], { service, dispute, noticeOf }) => {
    const person = await signedIn(service, email, userIdOf(end))
    const drafted = await draftOf(person, 'case.watch', { caseId: dispute.id, watching: true })
    expect(drafted.ok).toBe(false)
    expect(await noticeOf(person)).toBeUndefined()
  })
})
