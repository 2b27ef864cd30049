import { describe, expect } from 'vitest'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from '#lib/testing/command-run.ts'
import { claimedBy } from '#lib/testing/test-claim.ts'
import { signedIn } from '#lib/testing/test-session.ts'
import { caseTest, userIdOf } from '#lib/testing/test-worlds.ts'
import { claimOf } from './workspace-tables.ts'

const CASE = '/api/v1/Dispute/{caseId}'

const test = caseTest
  .extend('environment', { REQUIRE_ENROLMENT: 'off' })
  .extend('holder', ({ dispute }) => async () => {
    return (await claimOf(await store(), dispute.id))?.holder
  })
  .extend('say', ({ dispute }) => async (who: Session, body: string) => {
    return (await runCommand(who, 'dispute.message', { caseId: dispute.id, body })).command.outcome.class
  })
  .extend('decide', ({ dispute }) => async (who: Session, proof: string | null = null) => {
    const thread = await readWholeThread(who, dispute.id)
    const latestMessageId = thread.ok ? (thread.value.messages.at(-1)?.id ?? '') : ''
    const given = { caseId: dispute.id, referenceId: dispute.referenceId, decision: 'refund', reason: 'It never came.' }
    return (await runCommand(who, 'dispute.resolve', { ...given, latestMessageId }, proof)).command.outcome.class
  })
  .extend('note', ({ dispute }) => (who: Session) => {
    return runCommand(who, 'case.note', { caseId: dispute.id, text: 'Check again.' })
  })

const assigned = async () =>
  await (await store())
    .selectFrom('command')
    .select(['actor', 'state', 'target'])
    .where('kind', '=', 'case.assign')
    .execute()

describe('posting in an unassigned case', () => {
  test('assigns it to who posted, by a change of its own in the journal', async ({
    arbitrator,
    dispute,
    holder,
    say,
  }) => {
    expect(await say(arbitrator, 'Which day was it?')).toBe('done')
    expect(await holder()).toBe(arbitrator.actor)
    expect(await assigned()).toEqual([{ actor: arbitrator.actor, state: 'done', target: dispute.id }])
    expect(await say(arbitrator, 'And where?')).toBe('done')
    expect(await assigned()).toHaveLength(1)
  })

  test('leaves somebody else’s case theirs', async ({ arbitrator, dispute, holder, say }) => {
    await claimedBy('sso:third', dispute.id)
    expect(await say(arbitrator, 'Which day was it?')).toBe('done')
    expect([await holder(), await assigned()]).toEqual(['sso:third', [expect.anything()]])
  })

  test('of two at once gives it to one of them, and posts both', async ({
    arbitrator,
    admin,
    dispute,
    holder,
    say,
  }) => {
    expect(await Promise.all([say(arbitrator, 'One.'), say(admin, 'Two.')])).toEqual(['done', 'done'])
    expect([arbitrator.actor, admin.actor]).toContain(await holder())
    expect((await assigned()).filter(({ state }) => state === 'done')).toHaveLength(1)
    expect(await dispute.thread()).toEqual(expect.arrayContaining(['One.', 'Two.']))
  })

  test('stands whatever becomes of assigning it, and assigns nothing where it was not posted', async ({
    service,
    arbitrator,
    dispute,
    holder,
    say,
  }) => {
    await service.fault('POST', `${CASE}/messages`, { status: 409 })
    expect(await say(arbitrator, 'Refused.')).not.toBe('done')
    expect(await holder()).toBeUndefined()
    await (await store()).schema.alterTable('case_claim').renameTo('case_claim_away').execute()
    try {
      expect(await say(arbitrator, 'Posted.')).toBe('done')
    } finally {
      await (await store()).schema.alterTable('case_claim_away').renameTo('case_claim').execute()
    }
    expect([await holder(), await dispute.thread()]).toEqual([undefined, expect.arrayContaining(['Posted.'])])
  })

  test('gives it to no party of the case', async ({ service, holder, say }) => {
    const ana = await signedIn(service, 'ana@example.com', userIdOf('11'))
    expect(await say(ana, 'It was a Friday.')).toBe('done')
    expect([await holder(), await assigned()]).toEqual([undefined, []])
  })
})

describe('deciding an unassigned case', () => {
  test('that waits for a code is with who decides meanwhile, and with nobody once it is resolved', async ({
    service,
    arbitrator,
    holder,
    decide,
  }) => {
    expect(await decide(arbitrator)).toBe('step-up')
    expect(await holder()).toBe(arbitrator.actor)
    const newcomer = await signedIn(service, 'newcomer@example.com', userIdOf('5'))
    expect(await decide(newcomer, arbitrator.displayName)).toBe('done')
    expect(await holder()).toBeUndefined()
  })
})

describe('ASSIGNED_CASES=closed', () => {
  test.override('environment', { REQUIRE_ENROLMENT: 'off', ASSIGNED_CASES: 'closed' })

  test('keeps everybody but the assignee from posting, noting and deciding, and says who it is and what to do', async ({
    arbitrator,
    admin,
    dispute,
    say,
    decide,
    note,
  }) => {
    await claimedBy(admin.actor, dispute.id)
    const words = new RegExp(`assigned to ${admin.actor}@example.com.*Reassign the case to yourself first`)
    for (const act of [() => say(arbitrator, 'Hello.'), () => note(arbitrator), () => decide(arbitrator)]) {
      await expect(act()).rejects.toThrow(words)
    }
    expect(await dispute.thread()).not.toContain('Hello.')
    expect(await say(admin, 'Hello.')).toBe('done')
    expect((await note(admin)).command.outcome.class).toBe('done')
    expect(await decide(admin)).not.toBe('refused')
  })

  test('leaves an unassigned case to everybody, and any case to its parties', async ({
    service,
    arbitrator,
    admin,
    dispute,
    say,
    note,
  }) => {
    expect((await note(arbitrator)).command.outcome.class).toBe('done')
    await claimedBy(admin.actor, dispute.id)
    const ana = await signedIn(service, 'ana@example.com', userIdOf('11'))
    expect(await say(ana, 'It was a Friday.')).toBe('done')
  })

  test('is looked at once more right before anything is sent', async ({ arbitrator, admin, dispute }) => {
    const { draftOf } = await import('#lib/testing/command-run.ts')
    const { executeCommand } = await import('#lib/commands/execute.ts')
    const drafted = await draftOf(arbitrator, 'dispute.message', { caseId: dispute.id, body: 'Too late.' })
    if (!drafted.ok) throw new Error(JSON.stringify(drafted))
    await claimedBy(admin.actor, dispute.id)
    const given = { code: null, proof: null, fresh: true }
    const reply = await executeCommand(arbitrator, drafted.draft.id, given, () => {})
    expect(reply).toMatchObject({ ok: true, command: { outcome: { class: 'refused', sent: false } } })
    expect(await dispute.thread()).not.toContain('Too late.')
  })
})
