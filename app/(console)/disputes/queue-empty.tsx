import type { AdminView, CaseList } from '#lib/disputes/queue/queue.ts'

const words: Readonly<Record<CaseList, string>> = { OPEN: 'open cases', RESOLVED: 'resolved cases', ALL: 'cases' }

/** Why a list holds nothing: it is empty only where it is proved that everybody's cases would be in it. */
export function QueueEmpty({ list, adminView }: { list: CaseList; adminView: AdminView }) {
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
