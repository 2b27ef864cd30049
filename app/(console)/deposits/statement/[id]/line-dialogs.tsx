import dynamic from 'next/dynamic'
import type { LineActs } from './use-line-acts.ts'

const ConfirmLine = dynamic(() => import('./confirm-line.tsx').then((file) => file.ConfirmLine))
const LineDialog = dynamic(() => import('./line-dialog.tsx').then((file) => file.LineDialog))

/** What is asked about one line: something to type, or to confirm it. */
export function LineDialogs({ id, acts }: { id: string; acts: LineActs }) {
  const { dialog } = acts
  if (dialog === null) return null
  const { what, line } = dialog
  if (what === 'confirm') return <ConfirmLine id={id} dialog={dialog} />
  return <LineDialog key={line.number} acts={acts} dialog={{ what, line }} />
}
