import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { commandHistory } from '#lib/activity/history.ts'
import { insertDraft } from '#lib/commands/store.ts'
import { config } from '#lib/config/config.ts'
import { readCase } from '#lib/disputes/dispute-service.ts'
import { recordSeen, recordThread } from '#lib/disputes/unread/thread-table.ts'
import { findEvents } from '#lib/journal/event.ts'
import { verifyJournal } from '#lib/journal/verify.ts'
import type { Session } from '#lib/session/session.ts'
import { readUnsentText, saveUnsentText } from '#lib/session/unsent-text.ts'
import { caseNotePlace, messagePlace } from '#lib/session/unsent-text-place.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { recordCase } from '#lib/testing/listed-cases.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { colleaguesOf, listPeople, recordCandidate } from './case-people.ts'
import { readCaseWorkspace } from './case-workspace.ts'
import type { CaseWorkspace } from './workspace.ts'
import { putViewer } from './workspace-tables.ts'

const CASE = '/api/v1/Dispute/{caseId}'

const test = caseTest
  .extend('workspaceOf', ({ dispute }) => async (session: Session): Promise<CaseWorkspace> => {
    const workspace = await readCaseWorkspace(session, dispute.id)
    if (!workspace.ok) throw new Error(JSON.stringify(workspace.problem))
    return workspace.value
  })
  .extend('note', ({ dispute }) => async (session: Session, text: string) => {
    return (await runCommand(session, 'case.note', { caseId: dispute.id, text })).command
  })

describe('internal notes', () => {
  test('stand there for all staff with author and time, oldest first, and nothing of them goes to the service', async ({
    service,
    arbitrator,
    admin,
    dispute,
    workspaceOf,
    note,
  }) => {
    const before = await service.arrived('POST', `${CASE}/messages`)
    await note(arbitrator, 'He called.\nThe courier confirms.')
    await note(admin, '  I read the file.  ')
    const { notes, earlierNotes } = await workspaceOf(arbitrator)
    expect(notes.map(({ authorName, text }) => [authorName, text])).toEqual([
      ['arbitrator@example.com', 'He called.\nThe courier confirms.'],
      ['admin@example.com', 'I read the file.'],
    ])
    expect(earlierNotes).toBe(0)
    for (const { at } of notes) expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000)
    expect(await service.arrived('POST', `${CASE}/messages`)).toBe(before)
    expect(JSON.stringify(await dispute.thread())).not.toContain('courier')
  })

  test('can be added to a resolved case', async ({ arbitrator, dispute, note }) => {
    await dispute.resolve('Delivered.')
    expect((await note(arbitrator, 'For the next time.')).outcome.class).toBe('done')
  })

  test('can be neither changed nor removed, whoever asks', async ({ arbitrator, admin, workspaceOf, note }) => {
    const { id } = await note(arbitrator, 'It stays.')
    const db = await store()
    await expect(db.updateTable('case_note').set({ text: 'no' }).where('id', '=', id).execute()).rejects.toMatchObject({
      code: '23001',
    })
    await expect(db.deleteFrom('case_note').where('id', '=', id).execute()).rejects.toMatchObject({ code: '23001' })
    expect((await workspaceOf(admin)).notes.map(({ text }) => text)).toEqual(['It stays.'])
  })

  test('are in no history of a change, which anybody with a session may open', async ({ arbitrator, admin, note }) => {
    const command = await note(arbitrator, 'A secret of the staff.')
    const histories = [await commandHistory(arbitrator, command.id), await commandHistory(admin, command.id)]
    expect(JSON.stringify([command, ...histories])).not.toContain('secret')
  })

  test.for([
    ['with nothing in it', '   ', 'Enter a note'],
    ['that is too long', 'x'.repeat(4001), 'At most 4000'],
    ['with a card number', 'Card 4111 1111 1111 1111', 'card number'],
    ['with what cannot be seen', 'a\u202eb', 'invisible character'],
  ] as const)('%s are refused at the field', async ([_what, text, words], { arbitrator, dispute }) => {
    const drafted = await draftOf(arbitrator, 'case.note', { caseId: dispute.id, text })
    expect(drafted).toMatchObject({ ok: false, fields: { text: expect.stringContaining(words) } })
  })

  test('remove their unsent text, and no other', async ({ arbitrator, dispute, note }) => {
    const saved = { page: 'p', number: 1, base: 0 }
    await saveUnsentText(arbitrator, caseNotePlace(dispute.id), { ...saved, text: 'He called. ' })
    await saveUnsentText(arbitrator, messagePlace(dispute.id), { ...saved, text: 'He called.' })
    await note(arbitrator, 'He called. ')
    const left = [caseNotePlace, messagePlace].map((place) => readUnsentText(arbitrator, place(dispute.id)))
    expect((await Promise.all(left)).map(({ text }) => text)).toEqual(['', 'He called.'])
  })

  test('of 4,000 characters, each of two units, is kept whole', async ({ arbitrator, workspaceOf, note }) => {
    const text = '💬'.repeat(4000)
    await note(arbitrator, text)
    expect((await workspaceOf(arbitrator)).notes.at(-1)?.text).toBe(text)
  })
})

describe('the workspace of a case', () => {
  test('names its assignee, and to whom it can be reassigned', async ({
    service,
    arbitrator,
    admin,
    dispute,
    workspaceOf,
  }) => {
    await runCommand(admin, 'case.assign', { caseId: dispute.id })
    for (const [email, end] of [
      ['cleo@example.com', '13'],
      ['viewer@example.com', '4'],
    ] as const) {
      await recordCandidate(await signedIn(service, email, userIdOf(end)))
    }
    await workspaceOf(admin)
    const { people, ...workspace } = await workspaceOf(arbitrator)
    expect(workspace).toMatchObject({
      me: arbitrator.actor,
      open: true,
      mayWork: true,
      claim: { holder: admin.actor, holderName: 'admin@example.com' },
    })
    expect(people).toMatchObject([{ actor: admin.actor, name: 'admin@example.com' }])
  })

  test('counts open cases per person, but not for a party', async ({ service, arbitrator, admin, dispute }) => {
    await runCommand(admin, 'case.assign', { caseId: dispute.id })
    await recordCandidate(admin)
    const found = await readCase(arbitrator, dispute.id)
    if (!found.ok) throw new Error('the case cannot be read')
    await recordCase(found.value)
    const loadFor = async (session: Session) =>
      (await colleaguesOf(session)).map(({ cases, overTarget, unread }) => [cases, overTarget, unread])
    expect(await loadFor(arbitrator)).toEqual([[1, 0, null]])
    const message = { id: 'm1', senderUserId: userIdOf('11'), isSystemMessage: false, body: 'Hello.' } as const
    await recordThread(dispute.id, [{ ...message, createdAt: '2026-01-02T00:00:00Z' }])
    expect(await loadFor(arbitrator)).toEqual([[1, 0, 1]])
    await recordSeen(await store(), admin.actor, dispute.id, { id: 'm1', createdAt: '2026-01-02T00:00:00Z' })
    await (await store()).updateTable('case_index').set({ created_key: '2026-01-01T00:00:00.0000000' }).execute()
    expect(await loadFor(arbitrator)).toEqual([[1, 1, 0]])
    expect((await listPeople(admin)).me).toMatchObject({ actor: admin.actor, cases: 1, overTarget: 1, unread: 0 })
    expect((await listPeople(arbitrator)).me).not.toHaveProperty('cases')
    expect(await loadFor(await signedIn(service, 'ana@example.com', userIdOf('11')))).toEqual([[0, 0, 0]])
  })

  test('shows each of the others who look once, and nobody whose process is gone', async ({
    arbitrator,
    admin,
    dispute,
    workspaceOf,
  }) => {
    const db = await store()
    const look = (streamId: string, { actor, displayName: name }: Session) =>
      putViewer(db, { streamId, caseId: dispute.id.toUpperCase(), actor, name })
    await look('1', admin)
    await look('2', admin)
    await look('3', arbitrator)
    expect((await workspaceOf(arbitrator)).viewers).toEqual([{ actor: admin.actor, name: 'admin@example.com' }])
    await db.updateTable('case_viewer').set({ ends_at: 1 }).where('actor', '=', admin.actor).execute()
    expect((await workspaceOf(arbitrator)).viewers).toEqual([])
  })

  test('names authors of messages who are no longer here', async ({ arbitrator, admin, dispute, workspaceOf }) => {
    await runCommand(admin, 'dispute.message', { caseId: dispute.id, body: 'We are looking into it.' })
    await (await store()).deleteFrom('case_candidate').execute()
    const { people, authors } = await workspaceOf(arbitrator)
    expect([people, authors]).toEqual([[], [{ actor: admin.actor, name: 'admin@example.com' }]])
  })

  test('names authors whose user id has capital letters', async ({ arbitrator, dispute, workspaceOf }) => {
    const [db, author] = [await store(), randomUUID()]
    const actor = `sso:${author.toUpperCase()}`
    const about = { kind: 'dispute.message', target: dispute.id, params: '{}', facts: '{}' }
    await insertDraft(db, { id: randomUUID(), actor, actorName: 'Mia', ...about })
    const message = { case_id: dispute.id.toLowerCase(), message_id: 'm', author, order_key: '1' }
    await db.insertInto('case_message').values(message).execute()
    expect((await workspaceOf(arbitrator)).authors).toContainEqual({ actor, name: 'Mia' })
  })

  test('of a resolved case has no claim, and the journal says why it ended', async ({
    arbitrator,
    admin,
    dispute,
    workspaceOf,
  }) => {
    const { command } = await runCommand(arbitrator, 'case.assign', { caseId: dispute.id })
    await dispute.resolve('Delivered.')
    expect(await workspaceOf(admin)).toMatchObject({ open: false, claim: null })
    const events = await findEvents(await store(), command.id)
    expect(JSON.parse(events.at(-1)?.body ?? '{}')).toMatchObject({ ended: 'the case is resolved' })
    expect((await verifyJournal(await store(), config())).faults).toEqual([])
  })

  test('is for nobody who cannot see the case, and for none of its parties', async ({
    service,
    arbitrator,
    dispute,
    note,
  }) => {
    await note(arbitrator, 'Staff only.')
    for (const [email, end, status] of [
      ['cleo@example.com', '13', 404],
      ['viewer@example.com', '4', 403],
      ['operator@example.com', '1', 403],
      ['ana@example.com', '11', 403],
      ['ben@example.com', '12', 403],
    ] as const) {
      const workspace = await readCaseWorkspace(await signedIn(service, email, userIdOf(end)), dispute.id)
      expect(workspace).toMatchObject({ ok: false, problem: { status } })
    }
    expect(await readCaseWorkspace(arbitrator, 'nothing')).toMatchObject({ ok: false, problem: { status: 404 } })
  })

  test('asks the service once, however often a page asks within seconds', async ({
    service,
    arbitrator,
    dispute,
    workspaceOf,
  }) => {
    await workspaceOf(arbitrator)
    const before = await service.arrived('GET', `/api/v1/Dispute/${dispute.id}`)
    await Promise.all([workspaceOf(arbitrator), workspaceOf(arbitrator)])
    expect(await service.arrived('GET', `/api/v1/Dispute/${dispute.id}`)).toBe(before)
    expect(before).toBeGreaterThan(0)
  })
})
