import { Equal, EqualNot, SearchX } from 'lucide-react'
import { Check, CircleHelp, X } from '#components/ui/icons.tsx'
import { ExplainedBadge } from '#components/values/explained-badge.tsx'
import type { LineView } from '#lib/statements/statement-view.ts'
import { transactionStateWords } from '#lib/transactions/transaction-state.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/visible-text.ts'

const NOTHING = <span className="text-muted-foreground">–</span>

export function ReferenceVerdict({ line }: { line: LineView }) {
  if (line.found !== null) {
    const by = line.soughtEntered === null ? '' : ` by ${visibleText(line.soughtEntered.by)}`
    const explanation = {
      field: undefined,
      text: `Found in the text of the line, accepted${by}.`,
      hand: `Entered by hand${by}.`,
    }[line.soughtFrom]
    return <ExplainedBadge word="Found" meaning="good" icon={Check} explanation={explanation} />
  }
  if (line.problem !== null)
    return <ExplainedBadge word="Not read" meaning="unknown" icon={CircleHelp} explanation={line.problem} />
  if (line.lookedAt === null) return <ExplainedBadge word="Not looked up" meaning="neutral" icon={CircleHelp} />
  if (line.sought === '') return <ExplainedBadge word="No reference" meaning="attention" icon={SearchX} />
  return (
    <ExplainedBadge
      word="Not found"
      meaning="attention"
      icon={SearchX}
      explanation="Not found, or not visible to you."
    />
  )
}

/** Compares the bank's amount with the announced amount. */
export function AmountVerdict({ line }: { line: LineView }) {
  if (line.found === null) return NOTHING
  const verdict = line.found.amount
  if (verdict === 'unreadable') return <ExplainedBadge word="Not comparable" meaning="attention" icon={EqualNot} />
  if (verdict === 'other-currency') {
    return (
      <ExplainedBadge
        word={`In ${visibleText(line.currency)}`}
        meaning="attention"
        icon={EqualNot}
        explanation="Deposits are in BZD."
      />
    )
  }
  if (verdict.match) return <ExplainedBadge word="Same" meaning="good" icon={Equal} />
  const word = `${shownAmount(verdict.difference)} ${verdict.statementIsMore ? 'too much' : 'missing'}`
  return <ExplainedBadge word={word} meaning="attention" icon={EqualNot} />
}

export function StateVerdict({ line }: { line: LineView }) {
  if (line.found === null) return NOTHING
  const { word, sentence } = transactionStateWords(line.found.state)
  const agrees = line.found.state === 'QUEUED' || line.status === 'done'
  return (
    <ExplainedBadge
      word={word}
      meaning={agrees ? 'good' : 'attention'}
      icon={agrees ? Check : X}
      explanation={sentence}
    />
  )
}
