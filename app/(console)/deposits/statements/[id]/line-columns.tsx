import type { Column } from '#components/table/columns.ts'
import { Check, CircleHelp, Equal, EqualNot, SearchX, X } from '#components/ui/icons.tsx'
import { ExplainedBadge } from '#components/values/explained-badge.tsx'
import { Reference } from '#components/values/reference.tsx'
import type { LineView } from '#lib/statements/statement-view.ts'
import { transactionStateWords } from '#lib/transactions/transaction.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { Acts, LineResult } from './line-result.tsx'
import type { LineActs } from './use-line-acts.ts'

const Text = ({ children }: { children: string }) => (
  <bdi className="inline-block max-w-[22ch] truncate align-middle" title={visibleText(children)}>
    {visibleText(children)}
  </bdi>
)

const FreeText = ({ children }: { children: string }) => (
  <bdi
    className="line-clamp-2 mb-1 max-w-56 whitespace-normal break-words text-secondary-foreground text-xs"
    title={visibleText(children)}
  >
    {visibleText(children)}
  </bdi>
)

export const lineColumns = (acts: LineActs): readonly Column<LineView>[] => [
  {
    id: 'number',
    head: 'Line',
    always: true,
    align: 'right',
    cell: ({ number }) => <span className="figures">{number.toLocaleString('en-US')}</span>,
  },
  {
    id: 'reference',
    head: 'Reference, payer, free text',
    always: true,
    cell: ({ sought, text, payerName }) => (
      <>
        {sought === '' ? (
          <span className="text-muted-foreground">none</span>
        ) : (
          <Reference
            short
            value={sought}
            name="Reference"
            href={`/deposits?${new URLSearchParams({ reference: sought })}`}
          />
        )}
        {payerName === '' ? null : <FreeText>{payerName}</FreeText>}
        {text === '' ? null : <FreeText>{text}</FreeText>}
      </>
    ),
  },
  {
    id: 'amount',
    head: 'The bank received',
    align: 'right',
    cell: ({ amount, currency }) => (
      <span className="figures">
        {shownAmount(amount)}{' '}
        <span className="font-medium text-[11px] text-muted-foreground">{visibleText(currency)}</span>
      </span>
    ),
  },
  { id: 'found', head: 'Reference found', cell: (line) => <ReferenceVerdict line={line} /> },
  { id: 'agrees', head: 'Amount agrees', cell: (line) => <AmountVerdict line={line} /> },
  { id: 'state', head: 'State', cell: (line) => <StateVerdict line={line} /> },
  { id: 'result', head: 'Result', cell: (line) => <LineResult line={line} acts={acts} /> },
  {
    id: 'bank-reference',
    head: 'Bank’s reference',
    cell: ({ bankReference, bankFrom }) => (
      <>
        <Text>{bankReference}</Text>
        {bankFrom === 'hand' ? <span className="ml-1 text-muted-foreground text-xs">entered by hand</span> : null}
      </>
    ),
  },
  { id: 'booked', head: 'Booked', cell: ({ bookedOn }) => <Text>{bookedOn}</Text> },
  {
    id: 'act',
    head: 'Actions',
    quietHead: true,
    cell: (line) => <Acts line={line} acts={acts} />,
  },
]

const NOTHING = <span className="text-muted-foreground">–</span>

function ReferenceVerdict({ line }: { line: LineView }) {
  if (line.found !== null) {
    const by = line.soughtEntered === null ? '' : ` by ${visibleText(line.soughtEntered.by)}`
    const explanation = {
      field: undefined,
      text: `Found in the free text, accepted${by}.`,
      found: `Found in the free text, accepted with others${by}.`,
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
function AmountVerdict({ line }: { line: LineView }) {
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

function StateVerdict({ line }: { line: LineView }) {
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
