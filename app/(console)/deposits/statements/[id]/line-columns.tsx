import type { ReactNode } from 'react'
import { outcomeStyles } from '#components/command/outcome-style.ts'
import type { Column } from '#components/table/columns.ts'
import { RowLink } from '#components/table/row-link.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { Reference } from '#components/values/reference.tsx'
import { useTabIndex } from '#components/values/tab-stop.ts'
import { Timestamp } from '#components/values/timestamp.tsx'
import type { LineHold } from '#lib/statements/statement-line.ts'
import type { LineView } from '#lib/statements/statement-view.ts'
import { shownAmount } from '#lib/values/money.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import type { LineActs } from './use-line-acts.ts'
import { AmountVerdict, ReferenceVerdict, StateVerdict } from './verdicts.tsx'

const Text = ({ children }: { children: string }) => (
  <bdi className="inline-block max-w-[22ch] truncate align-middle" title={children}>
    {visibleText(children)}
  </bdi>
)

/** The columns of a statement's lines: what the bank says, what agrees, what came of it, and what can be done. */
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
    head: 'Reference',
    always: true,
    cell: ({ sought }) =>
      sought === '' ? (
        <span className="text-muted-foreground">none</span>
      ) : (
        <Reference
          short
          value={sought}
          name="Reference"
          href={`/deposits?${new URLSearchParams({ reference: sought })}`}
        />
      ),
  },
  {
    id: 'amount',
    head: 'The bank received',
    align: 'right',
    cell: ({ amount, currency }) => (
      <span className="figures">
        {shownAmount(amount)}
        <span className="ml-1 font-medium text-[11px] text-muted-foreground">{visibleText(currency)}</span>
      </span>
    ),
  },
  { id: 'found', head: 'Reference found', cell: (line) => <ReferenceVerdict line={line} /> },
  { id: 'agrees', head: 'Amount agrees', cell: (line) => <AmountVerdict line={line} /> },
  { id: 'state', head: 'State', cell: (line) => <StateVerdict line={line} /> },
  { id: 'result', head: 'What came of it', cell: (line) => <LineResult line={line} /> },
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
  { id: 'text', head: 'Free text', cell: ({ text }) => <Text>{text}</Text> },
  {
    id: 'act',
    head: 'What to do',
    quietHead: true,
    cell: (line) => <Acts line={line} acts={acts} />,
  },
]

/** What can be done with a line. One that a confirmation went out for stays as it is. */
function Acts({ line, acts }: { line: LineView; acts: LineActs }) {
  const { status, hold } = line
  if (status === 'done' || status === 'open') return null
  const busy = acts.busy === line.number
  if (status === 'set-aside') {
    return (
      <RowButton busy={busy} onClick={() => void acts.act(line, { act: 'put-back' })}>
        Put back
      </RowButton>
    )
  }
  // What was entered by hand can be put right.
  const enters = status === 'unknown' || line.soughtFrom === 'hand'
  const entersBank = hold === 'no-bank-reference' || hold === 'bank-reference-taken' || line.bankFrom === 'hand'
  return (
    <span className="flex gap-1">
      {status === 'by-hand' ? (
        <RowButton busy={busy} onClick={() => acts.open({ what: 'confirm', line })}>
          Confirm this deposit
        </RowButton>
      ) : null}
      {enters ? (
        <RowButton busy={busy} onClick={() => acts.open({ what: 'reference', line })}>
          Enter reference
        </RowButton>
      ) : null}
      {entersBank ? (
        <RowButton busy={busy} onClick={() => acts.open({ what: 'bank-reference', line })}>
          Enter bank’s reference
        </RowButton>
      ) : null}
      {status === 'ready' || status === 'by-hand' ? null : (
        <RowButton busy={busy} onClick={() => void acts.act(line, { act: 'look' })}>
          Look up again
        </RowButton>
      )}
      <RowButton busy={busy} onClick={() => acts.open({ what: 'set-aside', line })}>
        Set aside
      </RowButton>
    </span>
  )
}

function RowButton({ busy, onClick, children }: { busy: boolean; onClick: () => void; children: ReactNode }) {
  const tabIndex = useTabIndex()
  const hydrated = useHydrated()
  return (
    <button
      type="button"
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

const holdWords: Readonly<Record<LineHold, string>> = {
  'no-bank-reference': 'The bank gives no reference of its own. Enter it.',
  'bank-reference-taken': 'The bank’s reference is taken in this console: it has confirmed a deposit, or may have.',
  'deposit-under-way': 'A confirmation of this deposit is under way.',
  'other-line': 'An earlier line of this statement names the same deposit, or the same bank’s reference.',
}

/** What came of a line, or what stands in its way. */
function LineResult({ line }: { line: LineView }) {
  const { outcome, setAside, seen, edited } = line
  const look = outcome === null ? null : outcomeStyles[outcome.class]
  const words = wordsOf(line)
  if (look === null && words === null && setAside === null && seen === null && edited === null) return null
  return (
    <div className="grid max-w-72 min-w-44 gap-0.5 whitespace-normal py-1 text-xs">
      {look === null ? null : (
        <Badge variant={look.meaning} className="justify-self-start">
          <look.icon aria-hidden />
          {look.title}
        </Badge>
      )}
      {words === null ? null : <p className="break-words text-secondary-foreground">{visibleText(words)}</p>}
      {setAside === null ? null : (
        <p className="break-words text-secondary-foreground">
          Set aside{setAside.by === null ? '' : ` by ${setAside.by}`}: {visibleText(setAside.reason)}
        </p>
      )}
      {seen === null ? null : (
        <RowLink href={`/deposits/statements/${seen.statementId}`}>
          Seen before, line {seen.number.toLocaleString('en-US')}
        </RowLink>
      )}
      {edited === null ? null : (
        <p className="break-words text-muted-foreground">
          <RowLink href={`/activity/${line.editId}`}>Edited by {visibleText(edited.by)}</RowLink>{' '}
          <Timestamp value={edited.at} as="relative" />
        </p>
      )}
    </div>
  )
}

function wordsOf({ outcome, hold, note, status }: LineView): string | null {
  if (outcome?.class === 'refused' || outcome?.class === 'step-up' || outcome?.class === 'failed') return outcome.title
  if (outcome?.class === 'no-effect') return outcome.advice
  if (outcome?.class === 'unknown') return outcome.advice
  if (outcome?.class === 'changed') return 'Nothing was sent: the deposit is not as it was looked up.'
  if (outcome !== null) return null
  if (status === 'by-hand') return 'Entered by hand: it is confirmed on its own.'
  return note ?? (hold === null ? null : holdWords[hold])
}
