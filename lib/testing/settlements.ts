import { findOpen } from '#lib/commands/queries.ts'
import { settleByHand } from '#lib/commands/settle.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { runCommand } from './command-run.ts'
import type { Change, People } from './kinds-of-change.ts'
import { LOOKS_OVER_SECONDS, openDeposit } from './open-deposit.ts'
import { commandOrFail, sentSecondsAgo } from './passed-time.ts'
import type { TestService } from './test-service.ts'

const BEN = '00000000-0000-4000-8000-000000000012'
const WHY = 'The bank says so.'

/** Of a holder one card is issued at a time: what is not known is said not to have happened. */
export async function settleOpen(session: Session): Promise<void> {
  for (const { id, actor } of await findOpen(await store())) {
    if (actor !== session.actor) continue
    // Long enough for a person to be asked, where the console can look by itself.
    await sentSecondsAgo(id, 86_400)
    await settleByHand(session, id, { happened: false, why: 'for the next one' })
  }
}

/** The refund of a payment that is disputed, and that no case is about. */
export async function refundOfDisputed(service: TestService) {
  const { accessToken: token } = await service.login('ana@example.com')
  const transfer = { recipientId: BEN, amount: 1, useEscrow: true }
  const { data } = await service.call('POST', '/api/v1/Transaction/p2p', { token, body: transfer })
  const referenceId = String(data?.referenceId)
  await service.call('POST', '/sandbox/transactions', { body: { referenceId, move: 'dispute' } })
  return { referenceId, decision: 'refund', reason: 'Both sides agree by phone.' }
}

/** Whether the change that is settled has its end, which is written in the same transaction. */
async function isSettled({ params }: Change): Promise<boolean> {
  const { id, happened } = params as { id: string; happened: boolean }
  const { state } = await commandOrFail(id)
  return state === (happened ? 'applied' : 'not_applied')
}

/** Settling by hand, as a change of its own, what nobody can read the end of. */
export const settlements = ({ service, operator, newcomer }: People) => ({
  'deposit.settle': {
    sends: null,
    took: isSettled,
    async make() {
      const id = await openDeposit(service, operator, '10')
      return { session: operator, params: { id, happened: false, why: WHY } }
    },
  },
  'dispute.settle': {
    sends: null,
    took: isSettled,
    async make() {
      const { method, path } = endpoints.transactions.resolveDispute
      await service.fault(method, path, 'drop-after')
      const { command } = await runCommand(newcomer, 'transaction.resolve', await refundOfDisputed(service))
      await sentSecondsAgo(command.id, LOOKS_OVER_SECONDS)
      return { session: newcomer, params: { id: command.id, happened: true, why: WHY } }
    },
  },
})
