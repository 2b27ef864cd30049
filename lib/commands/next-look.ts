import type { CommandView } from './command.ts'

/** In progress, waiting for a code, or perhaps just confirmed. */
const UNDER_WAY_MS = 2_500
const AFTER_RECONCILE_MS = 400
const DUE_MS = 1_000
/** No read is scheduled; viewing the page triggers one. */
const UNWATCHED_MS = 5_000
/** A late effect is possible for a day, but rare. */
const LONG_OPEN_MS = 60_000

const APPROVAL_MS = 60_000

/** Milliseconds until the next read; null if the outcome is final. */
export function nextLookMs({ outcome, nextReconcileAt, settledByHand }: CommandView): number | null {
  if (outcome.class === 'sending' || outcome.class === 'step-up' || outcome.class === 'prepared') return UNDER_WAY_MS
  if (outcome.class === 'approval') return APPROVAL_MS
  if (outcome.class !== 'accepted' && outcome.class !== 'unknown' && outcome.class !== 'no-effect') return null
  if (nextReconcileAt !== null) return Math.max(DUE_MS, Date.parse(nextReconcileAt) - Date.now() + AFTER_RECONCILE_MS)
  return outcome.class === 'no-effect' || settledByHand ? LONG_OPEN_MS : UNWATCHED_MS
}
