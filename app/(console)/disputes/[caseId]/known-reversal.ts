import type { CommandView } from '#lib/commands/command.ts'
import { DECISION_LINE, REVERSAL_LINE } from '#lib/disputes/resolution.ts'
import type { KnownReversal } from './resolved-panel.tsx'

/**
 * The transaction that refunded the sender of a resolved case, as this console was told when it resolved the case. Where it
 * was not, nothing that the service gives tells it beyond doubt.
 */
export function knownReversal(latest: CommandView | null): KnownReversal {
  const lines = latest?.outcome.class === 'done' ? latest.outcome.lines : null
  if (lines === null) return 'not known'
  const reversal = lines.find(({ label }) => label === REVERSAL_LINE)
  if (reversal?.as === 'reference') return { reference: reversal.value }
  // Resolved from here, and no refund was asked for.
  return reversal === undefined && lines.some(({ label }) => label === DECISION_LINE) ? 'none' : 'not known'
}
