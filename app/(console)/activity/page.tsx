import { PageHead } from '#components/frame/page-head.tsx'
import { QuietLink } from '#components/frame/panel.tsx'
import { readTableState } from '#components/table/table-state.ts'
import { activityPage, peopleLately } from '#lib/activity/activity.ts'
import { OPENED, readActivityFilter } from '#lib/activity/activity-filter.ts'
import { latestCheck } from '#lib/activity/journal-check.ts'
import { permits } from '#lib/authorization/judge.ts'
import { witnessStatus } from '#lib/journal/witness.ts'
import { readAccess } from '#lib/service/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { visibleText } from '#lib/values/text.ts'
import { TableViews } from '../../saved-views/table-views.tsx'
import { accessPage } from '../page-reads.tsx'
import { ActivityTable, CloseRecord } from './activity-table.tsx'
import { FilterForm } from './filter-form.tsx'
import { JournalStatus } from './journal-status.tsx'
import { readRecord, type ShownRecord } from './record.tsx'

const head = { title: 'Activity', lead: 'Your activity, and others’ where you have access.' }

export default accessPage({ head, panel: 'Activity, newest first', entry: 'signed-in', read: readActivity })

async function readActivity(session: Session, query: URLSearchParams) {
  const { filter, faults } = readActivityFilter(query)
  const { page, size } = readTableState(query).state
  const mayCheck = await permits(session, 'journalCheck.read')
  const opened = query.get(OPENED) ?? ''
  const [{ scopes }, { rows, total }, people, check, witness, record] = await Promise.all([
    readAccess(session),
    activityPage(session, filter, { page, size }),
    peopleLately(session),
    mayCheck ? latestCheck() : null,
    mayCheck ? witnessStatus(await store()) : null,
    opened === '' ? null : readRecord(session, opened),
  ])
  return (
    <>
      <PageHead {...head} action={mayCheck ? <JournalStatus latest={check} witness={witness} /> : null} />
      <TableViews session={session} table="changes" path="/activity" query={query}>
        <div className="grid grid-cols-1 gap-3">
          <FilterForm filter={filter} people={people} />
          <div
            className={
              opened === '' ? undefined : 'grid grid-cols-1 items-start gap-4 wide:grid-cols-[minmax(0,1fr)_22rem]'
            }
          >
            <ActivityTable {...{ filter, faults, rows, total, opened }} known={scopes !== null} />
            {opened === '' ? null : <RecordAside id={opened} record={record} />}
          </div>
        </div>
      </TableViews>
    </>
  )
}

const RecordAside = ({ id, record }: { id: string; record: ShownRecord | null }) => (
  <section
    aria-label={record?.heading ?? 'Change'}
    className="grid gap-3 max-wide:order-first wide:max-h-[max(28rem,calc(100dvh-13.5rem))] wide:overflow-y-auto"
  >
    <header className="flex flex-wrap items-start gap-x-3 gap-y-1">
      <div className="min-w-0 flex-1">
        <p role="status" className="break-words font-semibold">
          {record === null ? 'Not found, or not visible to you' : visibleText(record.title)}
        </p>
        {record === null ? null : (
          <QuietLink href={`/activity/${encodeURIComponent(id)}`}>Open the full page</QuietLink>
        )}
      </div>
      <CloseRecord id={id} />
    </header>
    {record?.request}
    {record?.events}
    {record?.place}
  </section>
)
