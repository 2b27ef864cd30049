import { expect } from 'vitest'
import { executeCommand } from '#lib/commands/execute.ts'
import { askForApproval } from '#lib/commands/policy/approvals.ts'
import { readWholeThread } from '#lib/disputes/thread/case-thread.ts'
import { saveGrant } from '#lib/session/session.ts'
import { decide, stateOf } from './approval-world.ts'
import { draftForTest, executeForTest } from './gated-deposit.ts'
import { inDays } from './test-case.ts'
import { caseTest } from './test-worlds.ts'

/** Two others must approve a decision. */
export const decisionTest = caseTest
  .extend('environment', { REQUIRE_ENROLMENT: 'off' })
  .extend('rules', (): readonly unknown[] => [{ kind: 'dispute.resolve', approval: { by: 2 } }])
  .extend('maker', ({ newcomer }) => newcomer)
  /** What the case's page would ask for now. */
  .extend('decisionNow', ({ dispute, maker }) => async (by = maker) => {
    const thread = await readWholeThread(by, dispute.id)
    if (!thread.ok) throw new Error(JSON.stringify(thread.problem))
    return {
      caseId: dispute.id,
      referenceId: dispute.referenceId,
      decision: 'refund',
      reason: 'The parcel never left the depot.',
      latestMessageId: thread.value.messages.at(-1)?.id ?? '',
    }
  })
  /** A decision of the case that waits for two others. */
  .extend('requestApproval', ({ maker, decisionNow }) => async (by = maker): Promise<string> => {
    const id = await draftForTest(by, 'dispute.resolve', await decisionNow(by))
    await askForApproval(by, id, { reason: 'The carrier says so', proof: null })
    return id
  })
  .extend('send', ({ maker }) => async (id: string, by = maker) => {
    return (await executeForTest(by, id)).command.outcome
  })
  /** Sends it after reading the new facts that have this mark. */
  .extend('sendAfterReading', ({ maker }) => async (id: string, acknowledged: string | null, by = maker) => {
    const reply = await executeCommand(by, id, { code: null, proof: null, acknowledged }, () => {})
    if (!reply.ok) throw new Error(JSON.stringify(reply))
    return reply.command.outcome
  })
  /** Approved by two, with a message after that. */
  .extend(
    'approvedBefore',
    ({ arbitrator, admin, dispute, requestApproval }) =>
      async (message: string): Promise<string> => {
        const id = await requestApproval()
        await decide(arbitrator, id)
        await decide(admin, id)
        await dispute.post(message)
        return id
      },
  )
  .extend('askedForCode', ({ service, arbitrator, send }) => async (id: string): Promise<string> => {
    saveGrant(arbitrator, 'a grant that the service does not know', inDays(1))
    expect(await send(id, arbitrator)).toMatchObject({ class: 'step-up', need: 'code' })
    expect(await stateOf(id)).toBe('challenged')
    return String((await service.call('GET', `/sandbox/totp/${arbitrator.userId}`)).code)
  })
