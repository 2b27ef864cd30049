import type { ReactNode } from 'react'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { useTabIndex } from '#components/values/tab-stop.ts'
import type { LineView } from '#lib/statements/statement-view.ts'
import { NEXT_STEP } from './next-step.ts'
import type { LineActs } from './use-line-acts.ts'

/** A line with a sent confirmation cannot be changed any more. */
export function Acts({ line, acts }: { line: LineView; acts: LineActs }) {
  const { status, hold } = line
  if (status === 'done' || status === 'open') return null
  const busy = acts.busy === line.number
  if (status === 'set-aside') {
    return (
      <RowButton line={line.number} busy={busy} onClick={() => void acts.act(line, { act: 'put-back' })}>
        Put back
      </RowButton>
    )
  }
  // Entered or accepted data can be corrected.
  const enters = status === 'unknown' || line.soughtFrom !== 'field'
  const entersBank = hold === 'no-bank-reference' || hold === 'bank-reference-taken' || line.bankFrom === 'hand'
  return (
    // Stacked, because side by side the buttons would cover the line's result.
    <span className="flex flex-col items-start">
      {status === 'by-hand' || line.needsApproval ? (
        <RowButton line={line.number} busy={busy} onClick={() => acts.open({ what: 'confirm', line })}>
          Confirm this deposit
        </RowButton>
      ) : null}
      {enters ? (
        <RowButton line={line.number} busy={busy} onClick={() => acts.open({ what: 'reference', line })}>
          Enter reference
        </RowButton>
      ) : null}
      {entersBank ? (
        <RowButton line={line.number} busy={busy} onClick={() => acts.open({ what: 'bank-reference', line })}>
          Enter bank’s reference
        </RowButton>
      ) : null}
      {status === 'ready' || status === 'by-hand' ? null : (
        <RowButton line={line.number} busy={busy} onClick={() => void acts.act(line, { act: 'look' })}>
          Look up again
        </RowButton>
      )}
      <RowButton line={line.number} busy={busy} onClick={() => acts.open({ what: 'set-aside', line })}>
        Set aside
      </RowButton>
    </span>
  )
}

interface RowButtonProps {
  line: number
  busy: boolean
  onClick: () => void
  children: ReactNode
}

export function RowButton({ line, busy, onClick, children }: RowButtonProps) {
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
