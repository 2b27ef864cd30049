import { DEPOSIT_HOLD_HOURS, type TransactionState, transactionStates } from '#lib/contract/transaction-states.ts'
import { type StateWords, unknownStateWords } from './state-words.ts'

const words: Readonly<Record<TransactionState, StateWords>> = {
  QUEUED: {
    word: 'Queued',
    meaning: 'neutral',
    sentence: 'Created and accepted. Whoever pays has the amount reserved.',
  },
  PENDING: { word: 'Pending', meaning: 'working', sentence: 'Validated and preparing to settle.' },
  PROCESSING: {
    word: 'Processing',
    meaning: 'working',
    sentence: 'In flight. A protected transfer or a confirmed deposit is held in escrow until its window closes.',
  },
  DISPUTED: { word: 'Disputed', meaning: 'attention', sentence: 'A dispute was raised during the window.' },
  BLOCKED: { word: 'Blocked', meaning: 'attention', sentence: 'Held for review.' },
  PROCESSED: { word: 'Processed', meaning: 'good', sentence: 'Settled. The recipient can spend the funds.' },
  FAIL: { word: 'Failed', meaning: 'danger', sentence: 'Failed for good. Whatever was reserved is released.' },
}

const isKnown = (state: string): state is TransactionState => transactionStates.some((known) => known === state)

/** Words for a transaction's state; one that the interface does not give shows as it came. */
export const transactionStateWords = (state: string): StateWords =>
  isKnown(state) ? words[state] : unknownStateWords(state)

/** What can happen next, in the interface's own terms; honest where it names no way out. */
export function whatCanFollow(state: string): string {
  switch (state) {
    case 'QUEUED':
      return 'A deposit waits for its confirmation. Other operations go on to Pending by themselves.'
    case 'PENDING':
      return 'The service goes on to Processing by itself.'
    case 'PROCESSING':
      return `The service settles it when the window closes; ${DEPOSIT_HOLD_HOURS} hours after its confirmation for a deposit. It can be disputed or fail until then.`
    case 'DISPUTED':
      return 'It waits for an arbitrator to resolve the dispute.'
    case 'BLOCKED':
      return 'It is held for review. The service offers no operation that leads out of this state.'
    case 'PROCESSED':
    case 'FAIL':
      return 'Nothing follows: this state is final.'
    default:
      return 'This console does not know the state, so it offers nothing.'
  }
}
