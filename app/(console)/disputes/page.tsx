import { type ReactNode, Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { queryOf, readTableState, type TableState } from '#components/table/table-state.ts'
import { type CaseList, caseLists } from '#lib/disputes/queue/queue.ts'
import { queueFor, queuePage } from '#lib/disputes/queue/queue-view.ts'
import { mayWorkOnCases } from '#lib/disputes/workspace/case-access.ts'
import { leaveForSignIn, requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { TableViews } from '../../saved-views/table-views.tsx'
import { readOrLeave } from '../read-or-leave.ts'
import { AssignOldest } from './assign-oldest.tsx'
import { CasesNotKnown } from './not-known.tsx'
import { QueueShortfall } from './queue-shortfall.tsx'
import { QueuePages, WholeQueue } from './queue-table.tsx'

type Search = Promise<Record<string, string | string[] | undefined>>

export default async function DisputesPage({ searchParams }: { searchParams: Search }) {
  const session = await requireSession()
  const query = queryOf(await searchParams)
  const asked = query.get('status')?.toUpperCase()
  const list = caseLists.find((known) => known === asked) ?? 'OPEN'
  const outline = <QueuePages list={list} reading={{ kind: 'loading' }} readAt="" why={null} />
  const head = (
    <PageHead title="Disputes" lead="Cases about payments, each between two parties, for an arbitrator to decide." />
  )
  return (
    <>
      <Suspense fallback={head}>
        <Head session={session}>{head}</Head>
      </Suspense>
      <TableViews session={session} table="dispute-queue" path="/disputes" query={query}>
        <Suspense key={list} fallback={outline}>
          <Cases session={session} list={list} state={readTableState(query).state} />
        </Suspense>
      </TableViews>
    </>
  )
}

/** With the way to take the oldest case, for those who may. */
async function Head({ session, children }: { session: Session; children: ReactNode }) {
  if (!(await mayWorkOnCases(session))) return children
  return <AssignOldest userId={session.userId}>{children}</AssignOldest>
}

interface CasesProps {
  session: Session
  list: CaseList
  state: TableState
}

async function Cases({ session, list, state: { page, size } }: CasesProps) {
  const view = await queueFor(session, list)
  if (view.completeAt !== null) return <WholeQueue key={list} initial={view} />
  const { problem } = view
  if (problem?.kind === 'session-over') return await leaveForSignIn()
  const readAt = new Date().toISOString()
  // Where not even its first page came, there is nothing to page through.
  if (problem !== null && view.total === null) {
    return <QueuePages list={list} reading={{ kind: 'problem', problem }} readAt={readAt} why={null} />
  }
  const result = await readOrLeave(queuePage(session, list, { page, pageSize: size }))
  return (
    <QueuePages
      list={list}
      reading={result.ok ? { kind: 'rows', ...result.value } : { kind: 'problem', problem: result.problem }}
      readAt={readAt}
      why={<QueueShortfall view={view} />}
      empty={<CasesNotKnown view={view} what="Whether there are any cases" />}
    />
  )
}
