import 'server-only'
import type { Line } from '#lib/commands/command.ts'
import { type Agreement, compareFields, type Description, equals, resembles } from '#lib/commands/kind.ts'
import { disputeCase } from '#lib/contract/disputes.ts'
import { operationResult } from '#lib/contract/transactions.ts'
import { DECISION_LINE, type Decision, type Disputed, decisionWords, REVERSAL_LINE } from './resolution.ts'
import { textsIn } from './reversal.ts'

interface Given {
  readonly caseId?: string
  readonly referenceId: string
  readonly decision: Decision
  readonly reason: string
}

/** `reversal`: null until it is confirmed. */
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
        value: 'Not confirmed yet. Check the sender’s history.',
        as: 'text',
      }
    : { label: REVERSAL_LINE, value: reversal, as: 'reference' }

export const decisionChecks = ({ decision, reason }: Pick<Given, 'decision' | 'reason'>) => ({
  status: equals('RESOLVED'),
  state: equals('PROCESSED'),
  accepted: equals(false),
  releaseToRecipient: equals(decision === 'release'),
  resolutionReason: resembles(reason),
  resolutionOutcome: (outcome: unknown) => typeof outcome === 'string' && !contradictsDecision(decision, outcome),
})

/** The interface does not specify outcome values. */
export const contradictsDecision = (decision: Decision, outcome: string | null): boolean =>
  outcome !== null && (decision === 'refund' ? /releas/i : /refund/i).test(outcome)

/** These fields never name the reversing transaction. */
const OTHER_TEXTS: ReadonlySet<string> = new Set(Object.keys({ ...disputeCase.shape, ...operationResult.shape }))

/** A refund's answer names the reversing transaction in an unspecified field, so any unknown text is required. */
export function compareDecision(
  decision: Decision,
  data: unknown,
  checks: Parameters<typeof compareFields>[1],
  proof: readonly string[],
): Agreement {
  const agreement = compareFields(data, checks, proof)
  if (agreement !== 'agrees' || decision === 'release') return agreement
  const others = Object.entries(data as object).filter(([name]) => !OTHER_TEXTS.has(name))
  return textsIn(others.map(([, value]) => value)).length > 0 ? 'agrees' : 'silent'
}
