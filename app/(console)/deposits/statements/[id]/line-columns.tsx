import type { Column } from '#components/table/columns.ts'
import { Check, CircleHelp, Equal, EqualNot, SearchX, X } from '#components/ui/icons.tsx'
import { ExplainedBadge } from '#components/values/explained-badge.tsx'
import { Reference } from '#components/values/reference.tsx'
import { stateStyle } from '#components/values/state-badge.tsx'
import {
  type LineStatus,
  type LineView,
  placeOfReference,
  type AmountVerdict as Verdict,
} from '#lib/statements/statement-view.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import { formatCount } from '#lib/values/words.ts'
import { LineResult } from './line-result.tsx'
import type { LineActs } from './use-line-acts.ts'

const FreeText = ({ children }: { children: string }) => (
  <bdi
    className="wrap-anywhere mb-1 line-clamp-2 whitespace-normal sm:max-w-56 text-secondary-foreground text-xs"
    title={visibleText(children)}
  >
    {visibleText(children)}
  </bdi>
)

/** No column is pinned at the right, and long texts wrap, so that all columns fit beside the rail at 1,024 px. */
export const lineColumns = (acts: LineActs): readonly Column<LineView>[] => [
  {
    id: 'number',
    head: 'Line',
    always: true,
    align: 'right',
    cell: ({ number }) => <span className="figures">{formatCount(number)}</span>,
  },
  {
    id: 'reference',
    head: 'Reference, payer, free text',
    always: true,
    isText: true,
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
    cell: ({ amount, currency, bookedOn }) => (
      <>
        <span className="figures">
          {shownAmount(amount)}{' '}
          <span className="font-medium text-[11px] text-muted-foreground">{visibleText(currency)}</span>
        </span>
        <bdi
          className="figures ml-auto block max-w-[12ch] truncate text-muted-foreground text-xs"
          title={visibleText(bookedOn)}
        >
          {visibleText(bookedOn)}
        </bdi>
      </>
    ),
  },
  {
    id: 'deposit',
    head: 'Deposit',
    cell: (line) => (
      <span className="flex flex-wrap gap-1 sm:py-1">
        <ReferenceVerdict line={line} />
        {line.found === null ? null : (
          <>
            <AmountVerdict amount={line.found.amount} currency={line.currency} />
            <StateVerdict state={line.found.state} status={line.status} />
          </>
        )}
      </span>
    ),
  },
  { id: 'result', head: 'Result', always: true, isText: true, cell: (line) => <LineResult line={line} acts={acts} /> },
  {
    id: 'bank-reference',
    head: 'Bank’s reference',
    cell: ({ bankReference, bankFrom }) => (
      <>
        <bdi
          className="wrap-anywhere line-clamp-2 whitespace-normal sm:max-w-[22ch]"
          title={visibleText(bankReference)}
        >
          {visibleText(bankReference)}
        </bdi>
        {bankFrom === 'hand' ? <span className="text-muted-foreground text-xs">entered by hand</span> : null}
      </>
    ),
  },
]

function ReferenceVerdict({ line }: { line: LineView }) {
  if (line.found !== null) {
    const by = line.soughtEntered === null ? '' : ` by ${visibleText(line.soughtEntered.by)}`
    const sentence = {
      field: undefined,
      text: `Found in the ${placeOfReference(line)}, accepted${by}.`,
      found: `Found in the ${placeOfReference(line)}, accepted with others${by}.`,
      payer: `Suggested by earlier payments of this account, accepted${by}.`,
      hand: `Entered by hand${by}.`,
    }[line.soughtFrom]
    // A reference of the file that agrees needs no mark of its own.
    if (sentence === undefined) return null
    return <ExplainedBadge word="Found" meaning="good" icon={Check} sentence={sentence} />
  }
  if (line.problem !== null)
    return <ExplainedBadge word="Not read" meaning="unknown" icon={CircleHelp} sentence={line.problem} />
  if (line.lookedAt === null) return <ExplainedBadge word="Not looked up" meaning="neutral" icon={CircleHelp} />
  if (line.sought === '') return <ExplainedBadge word="No reference" meaning="attention" icon={SearchX} />
  return (
    <ExplainedBadge word="Not found" meaning="attention" icon={SearchX} sentence="Not found, or not visible to you." />
  )
}

function AmountVerdict({ amount, currency }: { amount: Verdict; currency: string }) {
  if (amount === 'unreadable') return <ExplainedBadge word="Not comparable" meaning="attention" icon={EqualNot} />
  if (amount === 'other-currency') {
    const word = `In ${visibleText(currency)}`
    return <ExplainedBadge word={word} meaning="attention" icon={EqualNot} sentence="Deposits are in BZD." />
  }
  if (amount.match) return <ExplainedBadge word="Same amount" meaning="good" icon={Equal} />
  const word = `${shownAmount(amount.difference)} ${amount.statementIsMore ? 'too much' : 'missing'}`
  return <ExplainedBadge word={word} meaning="attention" icon={EqualNot} />
}

function StateVerdict({ state, status }: { state: string; status: LineStatus }) {
  const style = stateStyle(state, 'transaction')
  // A deposit that was confirmed is no longer queued.
  if (status === 'open' || status === 'elsewhere') return <ExplainedBadge {...style} />
  const agrees = state === 'QUEUED' || status === 'done'
  return <ExplainedBadge {...style} meaning={agrees ? 'good' : 'attention'} icon={agrees ? Check : X} />
}
