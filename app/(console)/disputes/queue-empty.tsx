import Link from 'next/link'
import type { AdminView, CaseList } from '#lib/disputes/queue/queue.ts'

const words: Readonly<Record<CaseList, string>> = { OPEN: 'open cases', RESOLVED: 'resolved cases', ALL: 'cases' }

interface QueueEmptyProps {
  list: CaseList
  adminView: AdminView
  /** The list has cases, but none matches the filters. */
  hasOthers?: boolean
}

/**
 * States that a list is empty only when admin view is proved. Without it, the service may have hidden other people's
 * cases.
 */
export function QueueEmpty({ list, adminView, hasOthers = false }: QueueEmptyProps) {
  if (hasOthers) return <NoMatch list={list} />
  if (adminView === 'proved') {
    return (
      <>
        <p className="font-semibold text-foreground">No {words[list]}</p>
        <p>Cases of others are visible to you, so there is none of anybody.</p>
      </>
    )
  }
  return (
    <>
      <p className="font-semibold text-foreground">No {words[list]} visible to you</p>
      <p>
        Admin view is not proved. The service lists everybody’s cases for admins only and does not say for whom it does,
        so there may be others.
      </p>
    </>
  )
}

const NoMatch = ({ list }: { list: CaseList }) => (
  <>
    <p className="font-semibold text-foreground">None of these cases</p>
    <p>
      The list holds others.{' '}
      <Link
        href={`/disputes?status=${list.toLowerCase()}`}
        prefetch={false}
        className="text-primary underline underline-offset-4"
      >
        Show all of them
      </Link>
    </p>
  </>
)
