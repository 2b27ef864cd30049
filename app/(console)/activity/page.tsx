import { PageHead } from '#components/frame/page-head.tsx'
import { queryOf, readTableState, type SearchParams } from '#components/table/table-state.ts'
import { activityPage, peopleLately } from '#lib/activity/activity.ts'
import { readActivityFilter } from '#lib/activity/activity-filter.ts'
import { latestCheck } from '#lib/activity/journal-check.ts'
import { permits } from '#lib/authorization/judge.ts'
import { requireSession } from '#lib/session/current.ts'
import { TableViews } from '../../saved-views/table-views.tsx'
import { ActivityTable } from './activity-table.tsx'
import { JournalPanel } from './journal-panel.tsx'

export default async function ActivityPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const session = await requireSession()
  const query = queryOf(await searchParams)
  const { filter, faults } = readActivityFilter(query)
  const { page, size } = readTableState(query).state
  const mayCheck = await permits(session, 'journalCheck.read')
  const [{ rows, total }, people, check] = await Promise.all([
    activityPage(session, filter, { page, size }),
    peopleLately(session),
    mayCheck ? latestCheck() : null,
  ])
  return (
    <>
      <PageHead title="Activity" lead="Your activity, and others’ where you have access." />
      <div className="grid gap-4">
        {mayCheck ? <JournalPanel latest={check} /> : null}
        <TableViews session={session} table="changes" path="/activity" query={query}>
          <ActivityTable filter={filter} faults={faults} rows={rows} total={total} people={people} />
        </TableViews>
      </div>
    </>
  )
}
