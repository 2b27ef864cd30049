import { isSegment } from '#lib/contract/endpoint.ts'
import { isStorable, UNSTORABLE_WORDS } from '#lib/contract/json.ts'
import { DEPOSIT_HOLD_HOURS, type TransactionState, transactionStates } from '#lib/contract/states.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { type StateWords, unknownStateWords } from '#lib/values/words.ts'

const words: Readonly<Record<TransactionState, StateWords>> = {
  QUEUED: {
    word: 'Queued',
    meaning: 'neutral',
    sentence: 'Created and accepted. The sender’s amount is reserved.',
  },
  PENDING: { word: 'Pending', meaning: 'working', sentence: 'Validated and preparing to settle.' },
  PROCESSING: {
    word: 'Processing',
    meaning: 'working',
    sentence: 'In flight. A protected transfer or a confirmed deposit is held in escrow until its window closes.',
  },
  DISPUTED: { word: 'Disputed', meaning: 'attention', sentence: 'A dispute was raised during the window.' },
  BLOCKED: { word: 'Blocked', meaning: 'attention', sentence: 'Held for review.' },
  PROCESSED: {
    word: 'Processed',
    meaning: 'good',
    sentence: 'Settled. The recipient can spend the funds unless the sender was refunded.',
  },
  FAIL: { word: 'Failed', meaning: 'danger', sentence: 'Failed for good. The reserved amount is released.' },
}

const isKnown = (state: string): state is TransactionState => transactionStates.some((known) => known === state)

export const transactionStateWords = (state: string): StateWords =>
  isKnown(state) ? words[state] : unknownStateWords(state)

export interface StateReport {
  readonly state: string
  readonly at: string
}

/** Only a settled transaction has a service time for its state (interface.md, "Transaction"). */
export const stateTold = ({ state, settledAt }: Pick<Transaction, 'state' | 'settledAt'>): readonly StateReport[] =>
  settledAt !== null && (state === 'PROCESSED' || state === 'FAIL') ? [{ state, at: settledAt }] : []

/** The only type that the interface names; no rule depends on others. */
const TRANSFER = 'P2P'

export function whatCanFollow(state: string, type: string): string {
  const transfer = type === TRANSFER
  switch (state) {
    case 'QUEUED':
      return transfer
        ? 'The service takes it on by itself. No operation of this console moves it.'
        : 'If it is a deposit, an operator’s confirmation takes it on to Pending and Processing. Anything else the service takes on by itself.'
    case 'PENDING':
      return 'The service goes on to Processing by itself. Nothing has to be done.'
    case 'PROCESSING':
      return transfer
        ? 'The service settles it when its dispute window closes, and does not tell when that is. Until then it can be disputed, or fail.'
        : `The service settles it when its window closes: ${DEPOSIT_HOLD_HOURS} hours after its confirmation if it is a deposit. Until then it can be disputed, or fail; a deposit can also be reversed, but not from this console.`
    case 'DISPUTED':
      return 'An arbitrator decides: the recipient keeps the money, or the sender is refunded by a reversing transaction.'
    case 'BLOCKED':
      return 'Held for review. The service offers no operation that ends the review: ask its support.'
    case 'PROCESSED':
      return 'Nothing follows: it is settled. A refund is a separate transaction.'
    case 'FAIL':
      return 'Nothing follows: it failed for good. To try again, the sender starts a new one.'
    default:
      return 'This console does not know the state, so it cannot tell what follows and offers nothing.'
  }
}

/** The service's time of the present state; null if it gives none. */
export const stateSince = (transaction: Pick<Transaction, 'state' | 'createdAt' | 'settledAt'>): string | null =>
  transaction.state === 'QUEUED' ? transaction.createdAt : (stateTold(transaction)[0]?.at ?? null)

const REFERENCE_MAX_CHARS = 512

export function referenceFault(reference: string): string | null {
  const length = [...reference].length
  if (reference.trim() === '') return 'Enter the reference from the bank notice.'
  if (length > REFERENCE_MAX_CHARS) {
    return `This has ${length.toLocaleString('en-US')} characters; no reference has more than ${REFERENCE_MAX_CHARS}. Check that only the reference was pasted.`
  }
  if (!isStorable(reference)) return UNSTORABLE_WORDS
  return isSegment(reference) ? null : '“.” and “..” stand for places, so this is no reference. Check what was pasted.'
}
