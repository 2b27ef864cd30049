import type { CommandView } from './command.ts'

/** While a change is on its way, waits for a code, or may have been confirmed just before it was read. */
const UNDER_WAY_MS = 2_500
/** The console looks at the service by itself; what it found is read soon after. */
const AFTER_RECONCILE_MS = 400
/** A look that is due may take a while. */
const DUE_MS = 1_000
/** While no next look is known: reading makes the console look, where this person may read the effect. */
const UNWATCHED_MS = 5_000
/** Once no effect has shown for two minutes, or a person has settled it: a late effect can show for a day, but is rare. */
const LONG_OPEN_MS = 60_000

/** What others decide is news; that its time is over is as well. */
const APPROVAL_MS = 60_000

/** When a change may read differently though nobody has written to it, in milliseconds from now; null when its end is known. */
export function nextLookMs({ outcome, nextReconcileAt, settledByHand }: CommandView): number | null {
  if (outcome.class === 'sending' || outcome.class === 'step-up' || outcome.class === 'prepared') return UNDER_WAY_MS
  if (outcome.class === 'approval') return APPROVAL_MS
  if (outcome.class !== 'accepted' && outcome.class !== 'unknown' && outcome.class !== 'no-effect') return null
  if (nextReconcileAt !== null) return Math.max(DUE_MS, Date.parse(nextReconcileAt) - Date.now() + AFTER_RECONCILE_MS)
  return outcome.class === 'no-effect' || settledByHand ? LONG_OPEN_MS : UNWATCHED_MS
}
