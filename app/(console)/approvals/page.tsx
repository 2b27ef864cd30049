import { PageHead } from '#components/frame/page-head.tsx'
import { readTableState } from '#components/table/table-state.ts'
import { requestsWanted } from '#lib/activity/approval-file.ts'
import { readApprovalFilter } from '#lib/activity/approval-filter.ts'
import { approvableKinds, requestPage } from '#lib/commands/policy/approval-list.ts'
import { readAccess } from '#lib/service/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import { accessPage } from '../page-reads.tsx'
import { ApprovalsTable } from './approvals-table.tsx'

const head = { title: 'Approvals', lead: 'Changes that others must approve before they are sent.' }

export default accessPage({ head, panel: 'Waiting for me, most urgent first', entry: 'signed-in', read: readApprovals })

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
