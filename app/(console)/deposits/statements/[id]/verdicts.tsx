import { Check, CircleHelp, Equal, EqualNot, type LucideIcon, SearchX, X } from 'lucide-react'
import { Badge } from '#components/ui/badge.tsx'
import { Hint } from '#components/values/hint.tsx'
import { amountVerdict } from '#lib/statements/statement-line.ts'
import type { LineView } from '#lib/statements/statement-view.ts'
import { transactionStateWords } from '#lib/transactions/transaction-state.ts'
import type { Meaning } from '#lib/values/state-words.ts'
import { visibleText } from '#lib/values/visible-text.ts'

interface Verdict {
  readonly word: string
  readonly meaning: Meaning
  readonly icon: LucideIcon
  /** On hover. */
  readonly more?: string
}

const Mark = ({ word, meaning, icon: Icon, more }: Verdict) => {
  const badge = (
    <Badge variant={meaning} aria-description={more}>
      <Icon aria-hidden />
      {word}
    </Badge>
  )
  return more === undefined ? badge : <Hint text={more}>{badge}</Hint>
}

const NOTHING = <span className="text-muted-foreground">–</span>

/** Whether the reference was found. */
export function ReferenceVerdict({ line }: { line: LineView }) {
  if (line.found !== null) {
    const by = line.soughtEntered === null ? '' : ` by ${visibleText(line.soughtEntered.by)}`
    const explanation = { field: undefined, text: 'Recognised in the free text.', hand: `Entered by hand${by}.` }[
      line.soughtFrom
    ]
    return (
      <Mark word="Found" meaning="good" icon={Check} {...(explanation === undefined ? {} : { more: explanation })} />
    )
  }
  if (line.problem !== null) return <Mark word="Not read" meaning="unknown" icon={CircleHelp} more={line.problem} />
  if (!line.looked) return <Mark word="Not looked up" meaning="neutral" icon={CircleHelp} />
  if (line.sought === '') return <Mark word="No reference" meaning="attention" icon={SearchX} />
  return <Mark word="Not found" meaning="attention" icon={SearchX} more="Not found, or not visible to you." />
}

/** Whether the bank received what was announced. */
export function AmountVerdict({ line }: { line: LineView }) {
  if (line.found === null) return NOTHING
  const verdict = amountVerdict(line, line.found.debit)
  if (verdict === 'unreadable') return <Mark word="Not comparable" meaning="attention" icon={EqualNot} />
  if (verdict === 'other-currency') {
    return (
      <Mark word={`In ${visibleText(line.currency)}`} meaning="attention" icon={EqualNot} more="Deposits are in BZD." />
    )
  }
  if (verdict.match) return <Mark word="Same" meaning="good" icon={Equal} />
  const word = `${verdict.difference.toShown()} ${verdict.statementIsMore ? 'too much' : 'missing'}`
  return <Mark word={word} meaning="attention" icon={EqualNot} />
}

/** Whether the deposit waits to be confirmed. */
export function StateVerdict({ line }: { line: LineView }) {
  if (line.found === null) return NOTHING
  const { word, sentence } = transactionStateWords(line.found.state)
  const waits = line.found.state === 'QUEUED'
  return <Mark word={word} meaning={waits ? 'good' : 'attention'} icon={waits ? Check : X} more={sentence} />
}
