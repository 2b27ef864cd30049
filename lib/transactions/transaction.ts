import { isSegment, isStorable, UNSTORABLE_WORDS } from '#lib/contract/json.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { type TransactionState, transactionStates } from '#lib/contract/states.ts'
import type { Transaction } from '#lib/contract/transactions.ts'
import { formatCount, type StateWords, unknownStateWords } from '#lib/values/words.ts'

const words: Readonly<Record<TransactionState, StateWords>> = {
  QUEUED: { word: 'Queued', meaning: 'neutral', sentence: 'Created and accepted. The sender’s amount is reserved.' },
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
  FAIL: { word: 'Failed', meaning: 'danger', sentence: 'Failed permanently. The reserved amount is released.' },
}

const isKnown = (state: string): state is TransactionState => transactionStates.some((known) => known === state)

export const transactionStateWords = (state: string): StateWords =>
  isKnown(state) ? words[state] : unknownStateWords(state)

export interface StateReport {
  readonly state: string
  readonly at: string
}

/** Only a settled transaction has a service time for its state (interface.md, "Transaction"). */
export const reportedStates = ({
  state,
  settledAt,
}: Pick<Transaction, 'state' | 'settledAt'>): readonly StateReport[] =>
  settledAt !== null && (state === 'PROCESSED' || state === 'FAIL') ? [{ state, at: settledAt }] : []

/** The only type that the interface names; no rule depends on others. */
export const TRANSFER = 'P2P'

export const awaitsConfirmation = ({ state, type }: { readonly state: string; readonly type: string }): boolean =>
  state === 'QUEUED' && type !== TRANSFER

/** The service's time of the present state; null if it gives none. */
export const stateSince = (transaction: Pick<Transaction, 'state' | 'createdAt' | 'settledAt'>): string | null =>
  transaction.state === 'QUEUED' ? transaction.createdAt : (reportedStates(transaction)[0]?.at ?? null)

const REFERENCE_MAX_CHARS = 512

export function referenceFault(reference: string): string | null {
  const length = [...reference].length
  if (reference.trim() === '') return 'Enter the reference from the bank notice.'
  if (length > REFERENCE_MAX_CHARS) {
    return `Too long: ${formatCount(length)} characters. A reference has at most ${REFERENCE_MAX_CHARS}.`
  }
  if (!isStorable(reference)) return UNSTORABLE_WORDS
  return isSegment(reference) ? null : '“.” and “..” are not references. Check what you pasted.'
}

/** Locks and cases are found by the service's spelling. */
export const spellingFault = (typed: string, known: string): string | null =>
  typed === known ? null : `Written differently at the service: ${known}`

/** 405: the text is another path, for example `deposit` (interface.md, "Transactions"). */
export const isUnknownReference = ({ kind, status }: Problem): boolean =>
  kind === 'service' && (status === 400 || status === 404 || status === 405)
