import { describe, expect } from 'vitest'
import { reconcileCommand } from '#lib/commands/reconcile.ts'
import { recordAtOnce } from '#lib/commands/record.ts'
import { findCommand } from '#lib/commands/store.ts'
import { CaseQuery } from '#lib/disputes/queue/case-index-query.ts'
import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { claimedRow, queueFor } from '#lib/disputes/queue/queue-view.ts'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import { withAnswerLine } from '#lib/disputes/thread/thread.ts'
import { store } from '#lib/store/store.ts'
import { draftOf, runCommand } from '#lib/testing/command-run.ts'
import { inDays, raiseCase } from '#lib/testing/test-case.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { deadlineOf } from './answer-deadline.ts'
import { caseDropDeadline } from './case-snooze.ts'
import { readCaseWorkspace } from './case-workspace.ts'
import { snoozesOf } from './workspace-tables.ts'

const POST = '/api/v1/Dispute/{caseId}/messages'

const test = caseTest
  /** When the test began: a minute may end while it runs. */
  .extend('now', () => Date.now())
  .extend('minute', ({ now }) => (days: number) => {
    return `${inDays(days, now).slice(0, 16)}:00.000Z`
  })
  .extend('ask', ({ arbitrator, dispute, minute }) => async (days = 2, text = 'Which day was it?') => {
    const answerBy = minute(days)
    const body = withAnswerLine(text, answerBy)
    return (await runCommand(arbitrator, 'dispute.message', { caseId: dispute.id, body, answerBy })).command
  })
  .extend('due', ({ dispute }) => async () => {
    return await deadlineOf(await store(), dispute.id.toUpperCase())
  })
  .extend('snoozed', ({ dispute }) => async () => {
    return (await snoozesOf(await store(), [dispute.id])).get(dispute.id) ?? null
  })
  .extend('readThread', ({ admin, dispute }) => () => {
    return readWholeThread(admin, dispute.id)
  })
  .extend('shown', ({ admin, dispute }) => async (who = admin) => {
    const { rows } = await queueFor(who, everyOpenCase, { page: 1, size: 100 })
    return rows.find(({ id }) => id === dispute.id)
  })
  .extend('snooze', ({ arbitrator, dispute }) => (days: number) => {
    return runCommand(arbitrator, 'case.snooze', { caseId: dispute.id, until: inDays(days) })
  })

test.beforeEach(async ({ shown }) => {
  await shown()
})

/** As if the deadline were this long ago. */
async function passed(): Promise<void> {
  const db = await store()
  const until = new Date(Date.now() - 1_000).toISOString()
  await db.updateTable('answer_deadline').set({ until }).execute()
  await db.updateTable('case_snooze').set({ wake_at: until }).where('wake_at', 'is not', null).execute()
}

describe('a message with a deadline', () => {
  test('ends with it in words, and the case shows it', async ({ admin, dispute, minute, ask, due, shown }) => {
    const command = await ask()
    expect(command.outcome.class).toBe('done')
    const line = `Please answer by ${minute(2).slice(0, 16).replace('T', ' ')} UTC.`
    expect((await dispute.thread()).at(-1)).toBe(`Which day was it?\n\n${line}`)
    expect([await due(), (await shown())?.answerBy]).toEqual([minute(2), minute(2)])
    expect(await readCaseWorkspace(admin, dispute.id)).toMatchObject({ value: { answerBy: minute(2) } })
    expect(JSON.stringify(command.outcome)).toContain(`{"label":"Answer by","value":"${minute(2)}","as":"time"}`)
  })

  test.for([
    ['a passed time', -1, 'This time has passed'],
    ['a time beyond 90 days', 91, 'At most 90 days'],
  ] as const)('is refused for %s', async ([_what, days, words], { arbitrator, dispute, minute }) => {
    const answerBy = minute(days)
    const body = withAnswerLine('Well?', answerBy)
    expect(await draftOf(arbitrator, 'dispute.message', { caseId: dispute.id, body, answerBy })).toMatchObject({
      fields: { answerBy: expect.stringContaining(words) },
    })
  })

  test('is refused unless it says the deadline', async ({ arbitrator, dispute, minute }) => {
    const answerBy = minute(2)
    for (const body of ['Well?', withAnswerLine('Well?', minute(3)), `Please answer by ${answerBy} UTC.`]) {
      expect(await draftOf(arbitrator, 'dispute.message', { caseId: dispute.id, body, answerBy })).toMatchObject({
        fields: { answerBy: expect.stringContaining('does not end with this deadline') },
      })
    }
  })

  test('counts its last line for the length', async ({ arbitrator, dispute, minute }) => {
    const answerBy = minute(2)
    const body = withAnswerLine('x'.repeat(3_990), answerBy)
    expect(await draftOf(arbitrator, 'dispute.message', { caseId: dispute.id, body, answerBy })).toMatchObject({
      fields: { body: expect.stringContaining('At most 4,000 characters; this has 4,03') },
    })
  })

  test('sets no deadline when it is refused', async ({ service, ask, due }) => {
    await service.fault('POST', POST, { status: 429, code: 'core::rate', retryAfter: 5 })
    expect((await ask()).outcome.class).toBe('refused')
    expect(await due()).toBeNull()
  })

  test('sets its deadline once a lost answer is found', async ({
    service,
    arbitrator,
    dispute,
    minute,
    ask,
    due,
    readThread,
  }) => {
    await service.fault('POST', POST, 'drop-after')
    const { id, outcome } = await ask()
    expect([outcome.class, await due()]).toEqual(['unknown', null])
    const row = await findCommand(await store(), id)
    if (row !== undefined) await reconcileCommand(arbitrator, row)
    expect(await due()).toBe(minute(2))
    await dispute.post('It was a Friday.', 'ben')
    await readThread()
    expect(await due()).toBeNull()
  })

  test('awaits nothing if a party answered before it was found', async ({
    service,
    arbitrator,
    dispute,
    ask,
    due,
    readThread,
  }) => {
    await service.fault('POST', POST, 'drop-after')
    const { id } = await ask()
    await dispute.post('It was a Friday.', 'ben')
    await readThread()
    const row = await findCommand(await store(), id)
    if (row !== undefined) await reconcileCommand(arbitrator, row)
    expect(await due()).toBeNull()
  })

  test('replaces the deadline of an earlier one', async ({ arbitrator, dispute, minute, ask, due }) => {
    await ask(2)
    await ask(5, 'And the hour?')
    expect(await due()).toBe(minute(5))
    await runCommand(arbitrator, 'dispute.message', { caseId: dispute.id, body: 'Thanks.' })
    expect(await due()).toBe(minute(5))
  })
})

describe('a deadline ends', () => {
  test('when a party answers, and not when staff write', async ({
    admin,
    dispute,
    minute,
    ask,
    due,
    readThread,
    shown,
  }) => {
    await dispute.post('Before it.', 'ana')
    await ask()
    await runCommand(admin, 'dispute.message', { caseId: dispute.id, body: 'I agree.' })
    expect(await due()).toBe(minute(2))
    await dispute.post('It was a Friday.', 'ana')
    await readThread()
    expect([await due(), (await shown())?.answerBy]).toEqual([null, null])
  })

  test('when the case is resolved', async ({ admin, dispute, ask }) => {
    await ask()
    await dispute.resolve('Delivered.')
    expect(await readCaseWorkspace(admin, dispute.id)).toMatchObject({ value: { answerBy: null } })
  })

  test('when a person takes it off', async ({ admin, dispute, minute, ask, due }) => {
    await ask()
    await runCommand(admin, 'case.drop-deadline', { caseId: dispute.id, until: minute(2) })
    expect(await due()).toBeNull()
    expect(await draftOf(admin, 'case.drop-deadline', { caseId: dispute.id, until: minute(2) })).toMatchObject({
      fields: { caseId: 'No answer is awaited any more.' },
    })
  })

  test('and not when another one is taken off', async ({ admin, dispute, minute, ask, due }) => {
    await ask(2)
    await ask(5, 'And the hour?')
    const params = { caseId: dispute.id, until: minute(2) }
    const refusal = { fields: { caseId: 'The deadline has changed. Check it again.' } }
    expect(await draftOf(admin, 'case.drop-deadline', params)).toMatchObject(refusal)
    const raced = await recordAtOnce(admin, { ...caseDropDeadline, checkFacts: () => ({}) }, params)
    expect(raced).toMatchObject({ command: { outcome: { class: 'refused', title: 'The deadline has changed' } } })
    expect(await due()).toBe(minute(5))
  })

  test.for([
    ['viewer@example.com', '4'],
    ['operator@example.com', '1'],
    ['ana@example.com', '11'],
  ] as const)('and not by %s', async ([email, end], { service, dispute, minute, ask, due }) => {
    await ask()
    const person = await signedIn(service, email, userIdOf(end))
    const drafted = await draftOf(person, 'case.drop-deadline', { caseId: dispute.id, until: minute(2) })
    expect(drafted).toMatchObject({ ok: false, problem: { status: 403 } })
    expect(await due()).toBe(minute(2))
  })
})

describe('a snoozed case', () => {
  test('wakes at the deadline of a message sent before', async ({
    arbitrator,
    minute,
    ask,
    due,
    snoozed,
    shown,
    snooze,
  }) => {
    await ask(2)
    await snooze(7)
    expect((await snoozed())?.until).toBe(minute(2))
    await passed()
    expect([await snoozed(), (await shown(arbitrator))?.claim]).toEqual([
      null,
      expect.not.objectContaining({ snoozed: expect.anything() }),
    ])
    expect(await due()).not.toBeNull()
  })

  test('wakes at the deadline of a message sent since', async ({
    arbitrator,
    dispute,
    minute,
    ask,
    snoozed,
    snooze,
  }) => {
    await runCommand(arbitrator, 'dispute.message', { caseId: dispute.id, body: 'Hello.' })
    await snooze(7)
    await ask(2)
    expect((await snoozed())?.until).toBe(minute(2))
    await passed()
    expect(await snoozed()).toBeNull()
  })

  test('wakes before a later deadline', async ({ minute, ask, snoozed, snooze }) => {
    await ask(5)
    await snooze(1)
    expect(Date.parse((await snoozed())?.until ?? '')).toBeLessThan(Date.parse(minute(2)))
  })

  test('is snoozed again after the deadline', async ({ minute, ask, snoozed, snooze }) => {
    await ask(2)
    await passed()
    await snooze(7)
    expect(Date.parse((await snoozed())?.until ?? '')).toBeGreaterThan(Date.parse(minute(6)))
  })

  test('a new deadline leaves a case awake', async ({ arbitrator, ask, snoozed, shown, snooze }) => {
    await ask(2)
    await snooze(7)
    await passed()
    expect(await snoozed()).toBeNull()
    await ask(5, 'A reminder.')
    expect([await snoozed(), (await shown(arbitrator))?.claim]).toEqual([null, { name: expect.anything(), mine: true }])
  })

  test('goes on until its own end when the deadline is taken off', async ({
    arbitrator,
    dispute,
    minute,
    ask,
    snoozed,
    snooze,
  }) => {
    await ask(2)
    await snooze(7)
    await runCommand(arbitrator, 'case.drop-deadline', { caseId: dispute.id, until: minute(2) })
    expect(Date.parse((await snoozed())?.until ?? '')).toBeGreaterThan(Date.parse(minute(6)))
  })
})

test('hides a deadline from a party who works here', async ({ dispute, minute, ask }) => {
  await ask()
  const seen = async (userId: string) => {
    const reader = { userId, actor: 'sso:1', seesClaims: true, seesAmounts: true }
    const rows = await new CaseQuery(await store(), everyOpenCase, reader).rows(0, 100)
    const row = rows.find(({ id }) => id === dispute.id)
    return row && claimedRow(row, reader).answerBy
  }
  expect([await seen(userIdOf('11')), await seen(userIdOf('3'))]).toEqual([null, minute(2)])
})

test('every case has its own deadline', async ({ service, ask }) => {
  const other = await raiseCase(service, 7)
  await ask()
  expect(await deadlineOf(await store(), other.id)).toBeNull()
})
