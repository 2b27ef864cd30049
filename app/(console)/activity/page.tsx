import { PageHead } from '#components/frame/page-head.tsx'
import { queryOf, readTableState } from '#components/table/table-state.ts'
import { readChangeFilter } from '#lib/activity/change-filter.ts'
import { authorsLately, changesPage } from '#lib/activity/changes.ts'
import { latestCheck } from '#lib/activity/journal-check.ts'
import { permits } from '#lib/authorization/judge.ts'
import { requireSession } from '#lib/session/current.ts'
import { TableViews } from '../../saved-views/table-views.tsx'
import { ChangesTable } from './changes-table.tsx'
import { JournalPanel } from './journal-panel.tsx'

type Search = Promise<Record<string, string | string[] | undefined>>

/** Changes that were made or tried from this console, filtered, a page at a time. */
export default async function ActivityPage({ searchParams }: { searchParams: Search }) {
  const session = await requireSession()
  const query = queryOf(await searchParams)
  const { filter, faults } = readChangeFilter(query)
  const { page, size } = readTableState(query).state
  const mayCheck = await permits(session, 'journalCheck.read')
  const [{ changes, total }, authors, check] = await Promise.all([
    changesPage(session, filter, { page, size }),
    authorsLately(session),
    mayCheck ? latestCheck() : null,
  ])
  return (
    <>
      <PageHead
        title="Activity"
        lead="What was changed or tried from this console: your changes, and those of others that your scopes show."
      />
      <div className="grid gap-4">
        {mayCheck ? <JournalPanel latest={check} /> : null}
        <TableViews session={session} table="changes" path="/activity" query={query}>
          <ChangesTable filter={filter} faults={faults} changes={changes} total={total} authors={authors} />
        </TableViews>
      </div>
    </>
  )
}
