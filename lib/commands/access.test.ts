import { describe, expect, onTestFinished, vi } from 'vitest'
import { commandHistory } from '#lib/activity/history.ts'
import { openChanges } from '#lib/activity/open-changes.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { ANA, BEN, cardTest, ISSUE, NEW_CARD } from '#lib/testing/card-world.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { commandOrFail, sentSecondsAgo } from '#lib/testing/passed-time.ts'
import { signedIn, signedInUnread } from '#lib/testing/test-session.ts'
import { readCommand, resumeOpenCommands, watchCommand } from './reconcile.ts'
import { watches } from './reconcile-schedule.ts'
import { settleByHand } from './settle.ts'
import { findCommand } from './store.ts'
import { latestCommand, namedCommand } from './view.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'

type Person = 'operator' | 'admin' | 'viewer' | 'arbitrator' | 'ana' | 'unknown'

/** Ids of changes of the operator whose end is not known. */
interface Open {
  readonly issue: string
  readonly deposit: string
}

const test = cardTest
  .extend('ana', ({ service }) => signedIn(service, 'ana@example.com', ANA))
  .extend('unknown', ({ service }) => signedInUnread(service, 'operator@example.com'))
  .extend('leaveOpen', ({ service, operator, issueCard }) => async (): Promise<Open> => {
    await service.fault('POST', ISSUE, 'drop-after')
    const issue = (await issueCard()).command.id
    const referenceId = await service.announceDeposit('31')
    await service.fault('POST', CONFIRM, 'drop-before')
    const params = { referenceId, bankReference: `ATL ${referenceId}`, statementAmount: '31' }
    return { issue, deposit: (await runCommand(operator, 'deposit.confirm', params)).command.id }
  })

describe('changes of others are seen with the scope of the change itself, known for certain', () => {
  test.for<[who: string, person: Person, sees: readonly (keyof Open)[]]>([
    ['their operator', 'operator', ['issue', 'deposit']],
    ['an admin', 'admin', ['issue', 'deposit']],
    ['who reads everything and changes nothing', 'viewer', []],
    ['an arbitrator', 'arbitrator', []],
    ['a holder, who holds the scope to read transactions', 'ana', []],
    ['whose scopes could not be read', 'unknown', []],
  ])('%s', async ([_who, person, sees], { operator, arbitrator, admin, viewer, ana, unknown, leaveOpen }) => {
    const session = { operator: operator, admin: admin, viewer: viewer, arbitrator, ana, unknown }[person]
    const before = await openChanges(session)
    const open = await leaveOpen()
    const seen = Object.values(open).filter((_, at) => sees.includes(Object.keys(open)[at] as keyof Open))
    const now = await openChanges(session)
    expect(now.seen.map(({ id }) => id).filter((id) => Object.values(open).includes(id))).toEqual(seen)
    expect(now.unseen.unknown - before.unseen.unknown).toBe(2 - seen.length)
    for (const id of Object.values(open)) {
      expect((await commandHistory(session, id)) !== null, id).toBe(seen.includes(id))
      expect((await readCommand(session, id, false)).ok, id).toBe(seen.includes(id))
    }
    if (seen.length > 0) return
    expect(JSON.stringify(now)).not.toContain(NEW_CARD.userId)
    for (const id of Object.values(open)) {
      const said = await settleByHand(session, id, { happened: false, why: 'A guess' })
      expect(said).toMatchObject({ ok: false, problem: { status: 404 } })
      expect((await findCommand(await store(), id))?.state).toBe('unknown')
    }
  })
})

test('one’s own change is settled by hand with its scope alone, known for certain', async ({
  service,
  issueCard,
  unknown,
}) => {
  await service.fault('POST', ISSUE, 'drop-after')
  const { command } = await issueCard(NEW_CARD, unknown)
  expect(await settleByHand(unknown, command.id, { happened: false, why: 'A guess' })).toMatchObject({
    ok: false,
    problem: { status: 403, title: expect.stringContaining('could not be read') },
  })
  expect((await findCommand(await store(), command.id))?.state).toBe('unknown')
})

describe('an open change is resumed by a session', () => {
  async function resumes(session: Session, id: string): Promise<boolean> {
    watches().clear()
    await resumeOpenCommands(session)
    return watches().has(id)
  }

  test('that sees it and reads its effect; no other holds the watch', async ({
    operator,
    arbitrator,
    admin,
    viewer,
    ana,
    unknown,
    leaveOpen,
  }) => {
    const { deposit } = await leaveOpen()
    for (const session of [ana, viewer, arbitrator, unknown]) {
      expect(await resumes(session, deposit), session.displayName).toBe(false)
    }
    // Those who came by a moment ago and might not are in nobody's way.
    expect(await resumes(admin, deposit)).toBe(true)
    expect(await resumes(operator, deposit)).toBe(true)
  })

  test('whose scopes could not be read, if it is its own', async ({ service, unknown }) => {
    const referenceId = await service.announceDeposit('32')
    await service.fault('POST', CONFIRM, 'drop-before')
    const params = { referenceId, bankReference: `ATL ${referenceId}`, statementAmount: '32' }
    const { command } = await runCommand(unknown, 'deposit.confirm', params)
    expect(await resumes(unknown, command.id)).toBe(true)
  })

  test('takes over from one that may not read the effect', async ({ service, operator, admin }) => {
    const ben = await signedIn(service, 'ben@example.com', BEN)
    const referenceId = await service.announceDeposit('33')
    await service.fault('POST', CONFIRM, 'drop-after')
    const params = { referenceId, bankReference: `ATL ${referenceId}`, statementAmount: '33' }
    const { id } = (await runCommand(operator, 'deposit.confirm', params)).command
    watches().clear()
    // A read is due in a moment, again and again.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    onTestFinished(() => clock.mockRestore())
    watchCommand(ben, await sentSecondsAgo(id, 59.99))
    await eventually(async () => {
      putPerProcess('resumed sessions', undefined)
      putPerProcess('resumed commands', undefined)
      await resumeOpenCommands(admin)
      expect((await commandOrFail(id)).state).toBe('applied')
    })
  })
})

test('a page tells of the latest change of its object only whoever may see it', async ({
  operator,
  admin,
  viewer,
  issuedCard,
  unknown,
}) => {
  const card = await issuedCard()
  await runCommand(operator, 'card.block', { cardId: card.id, last4: card.last4, reason: 'stolen' })
  expect(await latestCommand(admin, 'card.block', card.id)).toMatchObject({ yours: false })
  expect(await latestCommand(viewer, 'card.block', card.id)).toBeNull()
  expect(await latestCommand(unknown, 'card.block', card.id)).toBeNull()
})

test('a page that names a change shows it before it is sent too, to its author alone', async ({
  operator,
  admin,
  viewer,
}) => {
  const draft = await draftOf(operator, 'card.issue', NEW_CARD)
  if (!draft.ok) throw new Error('not drafted')
  const { id } = draft.draft
  expect(await namedCommand(operator, 'card.issue', id)).toMatchObject({
    yours: true,
    outcome: { class: 'prepared' },
  })
  expect(await namedCommand(operator, 'card.block', id)).toBeNull()
  expect(await namedCommand(admin, 'card.issue', id)).toBeNull()
  expect(await namedCommand(viewer, 'card.issue', id)).toBeNull()
  const elevenMinutesAgo = new Date(Date.now() - 11 * 60_000).toISOString()
  await (await store()).updateTable('command').set({ created_at: elevenMinutesAgo }).where('id', '=', id).execute()
  const outcome = (await namedCommand(operator, 'card.issue', id))?.outcome
  expect(outcome).toMatchObject({ class: 'refused', sent: false })
})
