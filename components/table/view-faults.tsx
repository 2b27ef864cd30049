import { useChosenView, useTableViews } from './saved-views.tsx'

/** What is to be said of the chosen view: that it is not there, or what of it the table no longer has. */
export function ViewFaults({ table }: { table: string }) {
  const { view, missing } = useChosenView(table)
  const read = useTableViews(table)?.views !== null
  const words = faultWords(missing, view?.name ?? '', view?.gone ?? [])
  if (words === '' && read) return null
  return (
    <p role="status" className="border-b bg-attention-wash px-3.5 py-2 text-attention text-sm">
      {read ? words : 'The saved views of this table could not be read. The table shows what the address says.'}
    </p>
  )
}

function faultWords(missing: boolean, name: string, gone: readonly string[]): string {
  if (missing)
    return 'The view is not there any more, or is not shared with you. The table shows what the address says.'
  if (gone.length === 0) return ''
  return `The view “${name}” was saved with ${gone.join(', ')}, which this table no longer has. It shows what remains.`
}
