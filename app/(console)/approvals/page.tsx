import { PageHead } from '#components/frame/page-head.tsx'
import { queryOf, readTableState, type SearchParams } from '#components/table/table-state.ts'
import { requestsWanted } from '#lib/activity/approval-file.ts'
import { readApprovalFilter } from '#lib/activity/approval-filter.ts'
import { approvableKinds, requestPage } from '#lib/commands/policy/approval-list.ts'
import { readAccess } from '#lib/service/scopes.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { RenderWithAccess, startRead } from '../page-reads.tsx'
import { ApprovalsTable } from './approvals-table.tsx'

export default async function ApprovalsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const session = await requireSession()
  const content = startRead(readApprovals(session, queryOf(await searchParams)))
  return <RenderWithAccess session={session} content={content} head={head} panel="Waiting for me, most urgent first" />
}

const head = { title: 'Approvals', lead: 'Changes that others must approve before they are sent.' }

async function readApprovals(session: Session, query: URLSearchParams) {
  const { filter, faults } = readApprovalFilter(query)
  const { page, size } = readTableState(query).state
  const [found, { scopes }] = await Promise.all([
    requestPage(session, requestsWanted(session, filter), { page, size }),
    readAccess(session),
  ])
  return (
    <>
      <PageHead {...head} />
      <ApprovalsTable filter={filter} faults={faults} kinds={approvableKinds()} found={found} known={scopes !== null} />
    </>
  )
}
