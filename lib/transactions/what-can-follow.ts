import { DEPOSIT_HOLD_HOURS } from '#lib/contract/states.ts'
import { TRANSFER } from './transaction.ts'

export function whatCanFollow(state: string, type: string): string {
  const transfer = type === TRANSFER
  switch (state) {
    case 'QUEUED':
      return transfer
        ? 'The service processes it automatically.'
        : 'A deposit continues once an operator confirms it. Other types continue automatically.'
    case 'PENDING':
      return 'It moves to Processing automatically.'
    case 'PROCESSING':
      return transfer
        ? 'It settles when its dispute window closes; the service does not say when. Until then it can be disputed or fail.'
        : `It settles when its window closes (deposits: ${DEPOSIT_HOLD_HOURS} hours after confirmation). Until then it can be disputed or fail; a deposit can be reversed, but not from this console.`
    case 'DISPUTED':
      return 'An arbitrator decides: the recipient keeps the money, or the sender is refunded by a reversing transaction.'
    case 'BLOCKED':
      return 'Held for review. Ask the service’s support.'
    case 'PROCESSED':
      return 'Settled. A refund is a separate transaction.'
    case 'FAIL':
      return 'Failed permanently. To try again, the sender starts a new transaction.'
    default:
      return 'This console does not know the state, so it offers no actions.'
  }
}
