import { Check, CircleHelp, Equal, EqualNot, type LucideIcon, SearchX, X } from 'lucide-react'
import { Chip, type Tone } from '#components/ui/chip.tsx'
import { Hint } from '#components/ui/hint.tsx'
import { amountVerdict } from '#lib/statements/statement-line.ts'
import type { LineView } from '#lib/statements/statement-view.ts'
import { transactionStateWords } from '#lib/transactions/transaction-state.ts'
import { visibleText } from '#lib/values/visible-text.ts'

interface Verdict {
  readonly word: string
  readonly tone: Tone
  readonly icon: LucideIcon
  /** On hover. */
  readonly more?: string
}

const Mark = ({ word, tone, icon: Icon, more }: Verdict) => {
  const chip = (
    <Chip tone={tone} aria-description={more}>
      <Icon aria-hidden />
      {word}
    </Chip>
  )
  return more === undefined ? chip : <Hint text={more}>{chip}</Hint>
}

const NOTHING = <span className="text-ink-3">–</span>

/** Whether the reference was found. */
export function ReferenceVerdict({ line }: { line: LineView }) {
  if (line.found !== null) {
    const by = line.soughtEntered === null ? '' : ` by ${visibleText(line.soughtEntered.by)}`
    const explanation = { field: undefined, text: 'Recognised in the free text.', hand: `Entered by hand${by}.` }[
      line.soughtFrom
    ]
    return <Mark word="Found" tone="good" icon={Check} {...(explanation === undefined ? {} : { more: explanation })} />
  }
  if (line.problem !== null) return <Mark word="Not read" tone="unknown" icon={CircleHelp} more={line.problem} />
  if (!line.looked) return <Mark word="Not looked up" tone="neutral" icon={CircleHelp} />
  if (line.sought === '') return <Mark word="No reference" tone="attention" icon={SearchX} />
  return <Mark word="Not found" tone="attention" icon={SearchX} more="Not found, or not visible to you." />
}

/** Whether the bank received what was announced. */
export function AmountVerdict({ line }: { line: LineView }) {
  if (line.found === null) return NOTHING
  const verdict = amountVerdict(line, line.found.debit)
  if (verdict === 'unreadable') return <Mark word="Not comparable" tone="attention" icon={EqualNot} />
  if (verdict === 'other-currency') {
    return (
      <Mark word={`In ${visibleText(line.currency)}`} tone="attention" icon={EqualNot} more="Deposits are in BZD." />
    )
  }
  if (verdict.match) return <Mark word="Same" tone="good" icon={Equal} />
  const word = `${verdict.difference.toShown()} ${verdict.statementIsMore ? 'too much' : 'missing'}`
  return <Mark word={word} tone="attention" icon={EqualNot} />
}

/** Whether the deposit waits to be confirmed. */
export function StateVerdict({ line }: { line: LineView }) {
  if (line.found === null) return NOTHING
  const { word, sentence } = transactionStateWords(line.found.state)
  const waits = line.found.state === 'QUEUED'
  return <Mark word={word} tone={waits ? 'good' : 'attention'} icon={waits ? Check : X} more={sentence} />
}
