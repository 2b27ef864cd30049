import type { ReactNode } from 'react'
import { outcomeStyles } from '#components/command/command-row.tsx'
import { RowLink } from '#components/table/table-address.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { useHydrated } from '#components/ui/hydrated.tsx'
import { useTabIndex } from '#components/ui/kbd.tsx'
import { Reference } from '#components/values/reference.tsx'
import { ListTime, WithTimes } from '#components/values/timestamp.tsx'
import { lineAtWords, repeatsOf } from '#lib/statements/repeats.ts'
import {
  type Confirmation,
  type LineAt,
  type LineHold,
  type LineView,
  placeOfReference,
  type Suggestion,
} from '#lib/statements/statement-view.ts'
import { transactionStateWords } from '#lib/transactions/transaction.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import { formatDay } from '#lib/values/time.ts'
import { formatCount } from '#lib/values/words.ts'
import { NEXT_STEP } from './next-step.ts'
import type { LineActs } from './use-line-acts.ts'

const holdWords: Readonly<Record<LineHold, string>> = {
  'no-bank-reference': 'The bank’s reference is missing. Enter it.',
  'bank-reference-taken': 'This bank reference has confirmed a deposit, or may have.',
  'deposit-under-way': 'This deposit is already being confirmed.',
  'other-line': 'One payment confirms one deposit. Set one of these lines aside.',
  moved: 'The deposit’s state has changed since the lookup.',
}

export function LineResult({ line, acts }: { line: LineView; acts: LineActs }) {
  const { outcome, setAside, edited, suggestions } = line
  const look = outcome === null ? null : outcomeStyles[outcome.class]
  const words = wordsOf(line)
  return (
    <div className="wrap-anywhere grid min-w-44 max-w-72 gap-0.5 whitespace-normal py-1 text-xs max-sm:max-w-none">
      {look === null ? null : (
        <Badge variant={look.meaning} className="justify-self-start" icon={look.icon}>
          {look.title}
        </Badge>
      )}
      {words === null ? null : (
        <p className="text-secondary-foreground">
          <WithTimes text={visibleText(words)} />
        </p>
      )}
      <LimitOfLine line={line} />
      <OtherLines line={line} />
      {suggestions.map((suggestion) => (
        <SuggestedReference key={suggestion.reference} line={line} suggestion={suggestion} acts={acts} />
      ))}
      {setAside === null ? null : (
        <p className="text-secondary-foreground">
          Set aside{setAside.by === null ? '' : ` by ${visibleText(setAside.by)}`}: {visibleText(setAside.reason)}
        </p>
      )}
      {edited === null ? null : (
        <p className="text-muted-foreground">
          <RowLink href={`/activity/${line.editId}`}>Edited by {visibleText(edited.by)}</RowLink>{' '}
          <ListTime value={edited.at} />
        </p>
      )}
      <span className="-mx-1 flex flex-wrap gap-x-2 empty:hidden">
        <Acts line={line} acts={acts} />
      </span>
    </div>
  )
}

function wordsOf(line: LineView): string | null {
  const { outcome, hold, note, status, confirmation } = line
  if (outcome?.class === 'refused' || outcome?.class === 'step-up' || outcome?.class === 'failed') return outcome.title
  if (outcome?.class === 'no-effect') return outcome.advice
  if (outcome?.class === 'unknown') return outcome.advice
  if (outcome?.class === 'accepted') return outcome.shows
  if (outcome?.class === 'changed') return 'Nothing was sent: the deposit has changed since the lookup.'
  if (outcome !== null || status === 'set-aside') return null
  if (status === 'elsewhere' && confirmation === null)
    return 'The deposit is already confirmed, but not from this console.'
  if (status === 'by-hand') return byHandWords(line)
  return note ?? (hold === null ? null : holdWords[hold])
}

function byHandWords(line: LineView): string {
  const { soughtFrom } = line
  if (soughtFrom !== 'text' && soughtFrom !== 'payer') return 'Entered by hand: confirm it separately.'
  const place = soughtFrom === 'payer' ? 'earlier payments' : `the ${placeOfReference(line)}`
  return `Reference accepted from ${place}: confirm it separately.`
}

const foundInWords = {
  text: 'Found in the free text:',
  field: 'Found in the reference field, with other spelling or words:',
  payer: 'From earlier payments of this account:',
} as const

function paidWords({ count, last }: NonNullable<Suggestion['paidBefore']>): string {
  const day = formatDay(last, 'utc')
  return count === 1
    ? `Paid this wallet once before, on ${day}.`
    : `Paid this wallet ${formatCount(count)} times before, last on ${day}.`
}

/** A reference that the service knows, but that is not the line's whole field. */
function SuggestedReference({ line, suggestion, acts }: { line: LineView; suggestion: Suggestion; acts: LineActs }) {
  const { reference, foundIn, state, debit, paidBefore } = suggestion
  return (
    <div className="mb-1 grid justify-items-start gap-0.5 border-working border-l-2 pl-2">
      <p className="text-secondary-foreground">{foundInWords[foundIn]}</p>
      {paidBefore === null ? null : <p className="text-secondary-foreground">{paidWords(paidBefore)}</p>}
      <Reference short value={reference} name="Suggested reference" />
      <p className="figures text-secondary-foreground">
        {shownAmount(debit)} BZD, {transactionStateWords(state).word}
      </p>
      <RowButton
        line={line.number}
        busy={acts.busy === line.number}
        onClick={() => void acts.act(line, { act: 'accept', reference })}
      >
        Accept this reference
      </RowButton>
    </div>
  )
}

/** The deposit's page says what remains, and offers to hand it over. */
function LimitOfLine({ line: { isOverLimit = false, handOver, sought } }: { line: LineView }) {
  const href = `/deposits?${new URLSearchParams({ reference: sought })}`
  return (
    <>
      {handOver === undefined || handOver.handedBackAt !== null ? null : (
        <p className="text-secondary-foreground">
          Handed to {visibleText(handOver.to)} by {visibleText(handOver.from)} <ListTime value={handOver.at} />
        </p>
      )}
      {isOverLimit ? (
        <p className="text-attention">
          Over your limit. <RowLink href={href}>See what to do</RowLink>
        </p>
      ) : null}
    </>
  )
}

function OtherLines({ line }: { line: LineView }) {
  const { status, commandId, confirmation, bankHolder, hold } = line
  const elsewhere = status === 'elsewhere' || (status === 'done' && commandId === null)
  return (
    <>
      {repeatsOf(line).map(({ what, at }) => (
        <p key={`${what} ${at.statementId} ${at.number}`} className="text-secondary-foreground">
          {what} <LineLink at={at} here={at.statementId === line.statementId} />
        </p>
      ))}
      {hold === 'bank-reference-taken' && bankHolder !== null && bankHolder.line === null ? (
        <ConfirmedBy word="It was used" confirmation={bankHolder} />
      ) : null}
      {elsewhere && confirmation !== null ? (
        <>
          <ConfirmedBy word="The deposit was confirmed" confirmation={confirmation} />
          {confirmation.line === null ? null : (
            <p className="text-secondary-foreground">
              From <LineLink at={confirmation.line} here={confirmation.line.statementId === line.statementId} />
            </p>
          )}
        </>
      ) : null}
    </>
  )
}

const LineLink = ({ at, here }: { at: LineAt; here: boolean }) => (
  <RowLink href={`/deposits/statements/${at.statementId}`}>{lineAtWords(at, here)}</RowLink>
)

const ConfirmedBy = ({ word, confirmation: { commandId, by, at } }: { word: string; confirmation: Confirmation }) => (
  <p className="text-secondary-foreground">
    <RowLink href={`/activity/${commandId}`}>
      {word} by {visibleText(by)}
    </RowLink>
    {at === null ? null : (
      <>
        {' '}
        <ListTime value={at} />
      </>
    )}
  </p>
)

/** A line with a sent confirmation cannot be changed. */
function Acts({ line, acts }: { line: LineView; acts: LineActs }) {
  const { status, hold } = line
  if (status === 'done' || status === 'open') return null
  const busy = acts.busy === line.number
  if (status === 'set-aside') {
    return (
      <RowButton
        line={line.number}
        busy={busy}
        onClick={() =>
          // A file set it aside, because the payment repeats or went back.
          line.setAside?.by === null
            ? acts.open({ what: 'put-back', line })
            : void acts.act(line, { act: 'put-back', reason: '' })
        }
      >
        Put back
      </RowButton>
    )
  }
  // Entered or accepted data can be corrected.
  const enters = status === 'unknown' || line.soughtFrom !== 'field'
  const entersBank = hold === 'no-bank-reference' || hold === 'bank-reference-taken' || line.bankFrom === 'hand'
  const buttons = [
    [status === 'by-hand' || line.needsApproval, 'Confirm this deposit', () => acts.open({ what: 'confirm', line })],
    [enters, 'Enter reference', () => acts.open({ what: 'reference', line })],
    [entersBank, 'Enter bank’s reference', () => acts.open({ what: 'bank-reference', line })],
    [status !== 'ready' && status !== 'by-hand', 'Look up again', () => void acts.act(line, { act: 'look' })],
    [true, 'Set aside', () => acts.open({ what: 'set-aside', line })],
  ] as const
  return buttons.map(([isShown, words, onClick]) =>
    isShown ? (
      <RowButton key={words} line={line.number} busy={busy} onClick={onClick}>
        {words}
      </RowButton>
    ) : null,
  )
}

interface RowButtonProps {
  line: number
  busy: boolean
  onClick: () => void
  children: ReactNode
}

function RowButton({ line, busy, onClick, children }: RowButtonProps) {
  const tabIndex = useTabIndex()
  const hydrated = useHydrated()
  return (
    <button
      type="button"
      {...{ [NEXT_STEP]: `line-${line}` }}
      tabIndex={tabIndex}
      disabled={!hydrated}
      aria-disabled={busy}
      onClick={() => (busy ? undefined : onClick())}
      className="inline-flex min-h-6 items-center whitespace-nowrap rounded-sm px-1 font-[550] text-primary underline-offset-4 hover:underline aria-disabled:opacity-50"
    >
      {children}
    </button>
  )
}
