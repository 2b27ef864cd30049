import { requiredText } from '#sandbox/http/required-text.ts'
import type { LedgerRow } from '#sandbox/ledger/rows.ts'
import { reverse, settleHeld } from '#sandbox/ledger/transitions.ts'
import type { Randomness } from '#sandbox/world/random.ts'
import type { Trx } from '#sandbox/world/tables.ts'

const REASON_MAX_CHARS = 2000

/** What an arbitrator decides: the recipient keeps the money, or the sender is refunded. */
export interface Resolution {
  readonly releaseToRecipient: boolean
  readonly resolutionReason: string
}

/** Reads a resolution whose reason is given. */
export function readResolution({ releaseToRecipient, resolutionReason }: Resolution): Resolution {
  return { releaseToRecipient, resolutionReason: requiredText('resolutionReason', resolutionReason, REASON_MAX_CHARS) }
}

/**
 * Ends the hold of a DISPUTED transaction. Answers the reference of the reversing transaction, whose note is the reason;
 * null when there is no refund. The ledger must be locked.
 */
export async function moveMoney(
  trx: Trx,
  random: Randomness,
  disputed: LedgerRow,
  { releaseToRecipient, resolutionReason }: Resolution,
  at: string,
): Promise<string | null> {
  if (!releaseToRecipient) return (await reverse(trx, random, disputed, resolutionReason, at)).reference_id
  await settleHeld(trx, random, disputed, at)
  return null
}

/** The reference of a refund, where there is one, as both ways of resolving answer it. */
export const reversalOf = (reversalReferenceId: string | null) =>
  reversalReferenceId === null ? {} : { reversalReferenceId }
