import 'server-only'
import type { Line } from '#lib/commands/command.ts'
import type { Description } from '#lib/commands/command-kind.ts'
import { DECISION_LINE, type Decision, type Disputed, decisionWords, REVERSAL_LINE } from './resolution.ts'

interface Given {
  /** Where there is one. */
  readonly caseId?: string
  readonly referenceId: string
  readonly decision: Decision
  readonly reason: string
}

/** What came of a decision. `reversal`: the transaction that refunds the sender, null where it is not known. */
export const describeResolution = (
  { caseId, referenceId, decision, reason }: Given,
  disputed: Disputed,
  reversal: string | null,
): Description => ({
  steps: [],
  lines: [
    { label: DECISION_LINE, value: decisionWords(decision, disputed).title, as: 'text' },
    ...(caseId === undefined ? [] : [{ label: 'Case', value: caseId, as: 'id' } satisfies Line]),
    { label: 'Transaction', value: referenceId, as: 'reference' },
    { label: 'Reason', value: reason, as: 'text' },
    ...(decision === 'refund' ? [reversalLine(reversal)] : []),
  ],
})

const reversalLine = (reversal: string | null): Line =>
  reversal === null
    ? {
        label: REVERSAL_LINE,
        value: 'not known: nothing that the service gives tells it beyond doubt. Look for it in the sender’s history',
        as: 'text',
      }
    : { label: REVERSAL_LINE, value: reversal, as: 'reference' }
