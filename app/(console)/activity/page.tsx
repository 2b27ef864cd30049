import Link from 'next/link'
import { PageHead } from '#components/frame/page-head.tsx'
import { queryOf, readTableState } from '#components/table/table-state.ts'
import { type ChangeList, changeLists } from '#lib/activity/change-lists.ts'
import { changesPage } from '#lib/activity/changes.ts'
import { requireSession } from '#lib/session/current.ts'
import { TableViews } from '../../saved-views/table-views.tsx'
import { segment, segments } from '../disputes/segments.ts'
import { ChangesTable } from './changes-table.tsx'

type Search = Promise<Record<string, string | string[] | undefined>>

const words: Readonly<Record<ChangeList, string>> = {
  mine: 'Mine',
  open: 'Not known yet, or accepted',
  late: 'Shown late',
}

/** Changes that were sent from this console, a page at a time. */
export default async function ActivityPage({ searchParams }: { searchParams: Search }) {
  const session = await requireSession()
  const query = queryOf(await searchParams)
  const list = changeLists.find((known) => known === query.get('show')) ?? 'mine'
  const { page, size } = readTableState(query).state
  const { commands, total } = await changesPage(session, list, { page, size })
  return (
    <>
      <PageHead title="Activity" lead="What was changed from this console: how each change stands, and its history." />
      <TableViews session={session} table="changes" path="/activity" query={query}>
        <ChangesTable
          key={list}
          list={list}
          commands={commands}
          total={total}
          strip={
            <div className="flex flex-wrap border-b px-3.5 py-2.5">
              <nav aria-label="Which changes" className={segments}>
                {changeLists.map((other) => (
                  <Link
                    key={other}
                    href={`/activity?show=${other}`}
                    prefetch={false}
                    aria-current={other === list ? 'page' : undefined}
                    className={segment}
                  >
                    {words[other]}
                  </Link>
                ))}
              </nav>
            </div>
          }
        />
      </TableViews>
    </>
  )
}
