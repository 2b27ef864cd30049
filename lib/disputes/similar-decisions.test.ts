import { describe, expect, onTestFinished } from 'vitest'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { FailingStore } from '#lib/testing/failing-store.ts'
import { raiseCase, type TestCase } from '#lib/testing/test-case.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { waitForSweep } from './queue/case-sweeps.ts'
import { everyOpenCase } from './queue/queue.ts'
import { queueFor } from './queue/queue-view.ts'
import { isLikeReason } from './resolution.ts'
import { similarDecisions } from './similar-decisions.ts'
import { readWholeThread } from './thread/case-thread.ts'

const test = caseTest
  .extend('environment', { REQUIRE_ENROLMENT: 'off' })
  .extend('decide', ({ newcomer }) => async (found: TestCase, decision: string, reason: string): Promise<void> => {
    const thread = await readWholeThread(newcomer, found.id)
    if (!thread.ok) throw new Error(JSON.stringify(thread.problem))
    const { id: caseId, referenceId } = found
    const latestMessageId = thread.value.messages.at(-1)?.id ?? ''
    const input = { caseId, referenceId, decision, reason, latestMessageId }
    const { command } = await runCommand(newcomer, 'dispute.resolve', input)
    expect(command.outcome.class).toBe('done')
  })
  /** Rereads the list of all cases, which fills the index. */
  .extend('indexAll', ({ admin }) => async (): Promise<void> => {
    await queueFor(admin, everyOpenCase, { page: 1, size: 1 })
    await waitForSweep(20_000)
  })
  .extend('similarTo', ({ dispute }) => async (session: Session, { id } = dispute) => {
    const similar = await similarDecisions(session, id)
    if (!similar.ok) throw new Error(JSON.stringify(similar.problem))
    return similar.value
  })

async function alter(found: TestCase, change: { reason?: string; raised_by?: string }): Promise<void> {
  const row = (await store()).updateTable('case_index').set(change).where('id_key', '=', found.id.toLowerCase())
  await row.execute()
}

describe('similarDecisions', () => {
  test('shows same parties first, then like reasons, and no others', async ({
    service,
    admin,
    newcomer,
    decide,
    indexAll,
    similarTo,
  }) => {
    const [same, like, unlike] = await Promise.all([
      raiseCase(service, 7),
      raiseCase(service, 8),
      raiseCase(service, 9),
    ])
    await decide(same!, 'refund', 'The courier has no parcel.')
    await decide(like!, 'release', 'The courier shows a signature.')
    await decide(unlike!, 'refund', 'The till shows two payments.')
    await indexAll()
    await alter(like!, { raised_by: userIdOf('13'), reason: 'Goods have never been sent.' })
    await alter(unlike!, { raised_by: userIdOf('13'), reason: 'Charged twice at the till.' })
    await runCommand(admin, 'case.note', { caseId: same!.id, text: 'Hidden from everyone.' })
    const found = await similarTo(admin)
    expect(found).toEqual({
      decisions: [
        {
          ...{ caseId: same!.id, outcome: 'Refunded the sender', amount: expect.stringMatching(/^7/) },
          ...{
            reason: 'The courier has no parcel.',
            by: 'newcomer@example.com',
            at: expect.any(String),
            category: null,
          },
          sameParties: true,
        },
        expect.objectContaining({ caseId: like!.id, outcome: 'Released to the recipient', sameParties: false }),
      ],
      more: 0,
      comparedMost: null,
    })
    expect(JSON.stringify(found)).not.toContain('Hidden')
    expect((await similarTo(newcomer)).decisions[0]?.by).toBe('you')
  })

  test('is empty if others decided, or this case alone', async ({
    service,
    admin,
    dispute,
    decide,
    indexAll,
    similarTo,
  }) => {
    const other = await raiseCase(service, 7)
    await other.resolve('Decided elsewhere.')
    await decide(dispute, 'refund', 'The courier has no parcel.')
    await indexAll()
    expect(await similarTo(admin)).toEqual({ decisions: [], more: 0, comparedMost: null })
  })

  test('shows the newest ten and counts the rest', async ({ service, admin, decide, indexAll, similarTo }) => {
    const decided = await raiseCase(service, 7)
    await decide(decided, 'refund', 'The courier has no parcel.')
    await indexAll()
    const db = await store()
    const command = await db
      .selectFrom('command')
      .selectAll()
      .where('target', '=', decided.id)
      .where('kind', '=', 'dispute.resolve')
      .executeTakeFirstOrThrow()
    const row = await db
      .selectFrom('case_index')
      .selectAll()
      .where('id_key', '=', decided.id.toLowerCase())
      .executeTakeFirstOrThrow()
    const { arrival: _arrival, ...indexed } = row
    for (let at = 1; at <= 11; at += 1) {
      const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
      const sent_at = `2026-01-${String(at).padStart(2, '0')}T00:00:00.000Z`
      await db
        .insertInto('command')
        .values({ ...command, id, target: id, sent_at })
        .execute()
      await db
        .insertInto('case_index')
        .values({ ...indexed, id, id_key: id })
        .execute()
    }
    const { decisions, more } = await similarTo(admin)
    expect(decisions.map(({ at }) => at.slice(0, 10)).slice(1)).toEqual(
      [11, 10, '09', '08', '07', '06', '05', '04', '03'].map((day) => `2026-01-${day}`),
    )
    expect(more).toBe(2)
  })

  test('omits cases in which the reader is a party', async ({
    service,
    admin,
    newcomer,
    decide,
    indexAll,
    similarTo,
  }) => {
    const other = await raiseCase(service, 7)
    await decide(other, 'refund', 'The courier has no parcel.')
    await indexAll()
    await alter(other, { raised_by: admin.userId, reason: 'The goods never came.' })
    expect((await similarTo(admin)).decisions).toEqual([])
    expect((await similarTo(newcomer)).decisions).toHaveLength(1)
  })

  test('is refused to parties, and named if a read fails', async ({ service, admin, dispute }) => {
    const ana = await signedIn(service, 'ana@example.com', userIdOf('11'))
    const viewer = await signedIn(service, 'viewer@example.com', userIdOf('4'))
    for (const session of [ana, viewer]) {
      expect(await similarDecisions(session, dispute.id)).toMatchObject({ ok: false, problem: { status: 403 } })
    }
    expect(await similarDecisions(admin, 'nothing')).toMatchObject({ ok: false, problem: { status: 404 } })
    await service.fault('GET', '/api/v1/Dispute/{caseId}', { status: 500 }, 9)
    expect(await similarDecisions(admin, dispute.id)).toMatchObject({ ok: false, problem: { status: 500 } })
  })

  test('are not known until the list of cases is read', async ({ admin, dispute, indexAll }) => {
    await indexAll()
    const problem = { status: 503, title: 'Part of the list has not been read' }
    for (const complete_at of [null, new Date(Date.now() - 601_000).toISOString()]) {
      await (await store()).updateTable('case_sweep').set({ complete_at }).execute()
      expect(await similarDecisions(admin, dispute.id)).toMatchObject({ ok: false, problem })
    }
  })

  test('never takes a failing store for an empty answer', async ({ service, admin, decide, indexAll, similarTo }) => {
    await decide(await raiseCase(service, 7), 'refund', 'The courier has no parcel.')
    await indexAll()
    const { failing, remove } = await FailingStore.install()
    onTestFinished(remove)
    let failures = -1
    for (let failed = true; failed; failures += 1) {
      let found = null
      failed = await failing.live(failures + 2, 'before', async () => {
        found = (await similarTo(admin)).decisions.length
      })
      expect(found).toBeOneOf(failed ? [null, 1] : [1])
    }
    expect(failures).toBeGreaterThan(1)
  })
})

describe('isLikeReason', () => {
  test.each([
    ['The goods never came.', 'GOODS were never sent', true],
    ['The goods never came.', 'The goods were broken', false],
    ['Fraud', 'This is fraud, plainly', true],
    ['Charged twice', 'Charged too much', false],
    ['Cobro doble: café', 'Doble cobro en el café', true],
    ['Bad', 'Bad', false],
    ['', '', false],
  ])('%s and %s: %s', (reason, other, isLike) => {
    expect(isLikeReason(reason, other)).toBe(isLike)
  })
})
