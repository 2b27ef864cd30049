import type { ReactNode } from 'react'
import { Reference } from '#components/domain/reference.tsx'
import type { Column } from '#components/table/columns.ts'
import { useAlive } from '#components/ui/alive.ts'
import { useTabIndex } from '#components/ui/tab-stop.ts'
import { shownAmount } from '#lib/domain/money.ts'
import type { LineView } from '#lib/domain/statement-view.ts'
import { visibleText } from '#lib/domain/visible-text.ts'
import { LineResult } from './line-result.tsx'
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
        <span className="text-ink-3">none</span>
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
        <span className="ml-1 font-medium text-[11px] text-ink-3">{visibleText(currency)}</span>
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
        {bankFrom === 'hand' ? <span className="ml-1 text-ink-3 text-xs">entered by hand</span> : null}
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
  const { standing, hold } = line
  if (standing === 'done' || standing === 'open') return null
  const busy = acts.busy === line.number
  if (standing === 'parked') {
    return (
      <RowButton busy={busy} onClick={() => void acts.act(line, { act: 'unpark' })}>
        Take up again
      </RowButton>
    )
  }
  // What was entered by hand can be put right.
  const enters = standing === 'unknown' || line.soughtFrom === 'hand'
  const entersBank = hold === 'no-bank-reference' || hold === 'bank-reference-taken' || line.bankFrom === 'hand'
  return (
    <span className="flex gap-1">
      {standing === 'by-hand' ? (
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
      {standing === 'ready' || standing === 'by-hand' ? null : (
        <RowButton busy={busy} onClick={() => void acts.act(line, { act: 'look' })}>
          Look up again
        </RowButton>
      )}
      <RowButton busy={busy} onClick={() => acts.open({ what: 'park', line })}>
        Park
      </RowButton>
    </span>
  )
}

function RowButton({ busy, onClick, children }: { busy: boolean; onClick: () => void; children: ReactNode }) {
  const tabIndex = useTabIndex()
  const alive = useAlive()
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      disabled={!alive}
      aria-disabled={busy}
      onClick={() => (busy ? undefined : onClick())}
      className="inline-flex min-h-6 items-center whitespace-nowrap rounded-sm px-1 font-[550] text-accent underline-offset-4 hover:underline aria-disabled:opacity-50"
    >
      {children}
    </button>
  )
}
