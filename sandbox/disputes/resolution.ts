import { requiredText } from '#sandbox/http/required-text.ts'
import type { LedgerRow } from '#sandbox/ledger/rows.ts'
import { reverse, settleHeld } from '#sandbox/ledger/transitions.ts'
import type { Trx } from '#sandbox/world/tables.ts'

const REASON_MAX_CHARS = 2000

export interface Resolution {
  readonly releaseToRecipient: boolean
  readonly resolutionReason: string
}

export function readResolution({ releaseToRecipient, resolutionReason }: Resolution): Resolution {
  return { releaseToRecipient, resolutionReason: requiredText('resolutionReason', resolutionReason, REASON_MAX_CHARS) }
}

/** Returns the reversal's reference, or null without a refund. The ledger must be locked. */
export async function moveMoney(
  trx: Trx,
  disputed: LedgerRow,
  { releaseToRecipient, resolutionReason }: Resolution,
  at: string,
): Promise<string | null> {
  if (!releaseToRecipient) return (await reverse(trx, disputed, resolutionReason, at)).reference_id
  await settleHeld(trx, disputed, at)
  return null
}

export const reversalOf = (reversalReferenceId: string | null) =>
  reversalReferenceId === null ? {} : { reversalReferenceId }
