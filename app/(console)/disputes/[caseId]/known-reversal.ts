import type { CommandView } from '#lib/domain/command.ts'
import { DECISION_LINE, REVERSAL_LINE } from '#lib/domain/resolution.ts'
import type { KnownReversal } from './resolved-panel.tsx'

/**
 * The transaction that refunded the sender of a resolved case, as this console was told when it resolved the case. Where it
 * was not, nothing that the service gives tells it beyond doubt.
 */
export function knownReversal(latest: CommandView | null): KnownReversal {
  const lines = latest?.outcome.class === 'done' ? latest.outcome.lines : null
  if (lines === null) return 'not known'
  const told = lines.find(({ label }) => label === REVERSAL_LINE)
  if (told?.as === 'reference') return { reference: told.value }
  // Resolved from here, and no refund was asked for.
  return told === undefined && lines.some(({ label }) => label === DECISION_LINE) ? 'none' : 'not known'
}
