import { Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { queryOf, type SearchParams } from '#components/table/table-state.ts'
import type { QueueRow } from '#lib/disputes/queue/queue.ts'
import { queueFor, queuePage } from '#lib/disputes/queue/queue-view.ts'
import { comingFacts } from '#lib/disputes/queue/transaction-facts.ts'
import { mayWorkOnCases } from '#lib/disputes/workspace/case-people.ts'
import { leaveForSignIn, requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { TableViews } from '../../saved-views/table-views.tsx'
import { RenderWithin, readOrSignIn, startRead } from '../page-reads.tsx'
import { AssignNext } from './assign-next.tsx'
import { listIn, queueQuery, readQueueAddress } from './queue-address.ts'
import { QueueEmpty } from './queue-empty.tsx'
import { QueuePages } from './queue-pages.tsx'
import { QueueTable } from './queue-table.tsx'

export default async function DisputesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const session = await requireSession()
  const query = queryOf(await searchParams)
  const list = listIn(query)
  const cases = startRead(readCases(session, query))
  return (
    <>
      <Suspense fallback={<PageHead {...head} />}>
        <Head session={session} />
      </Suspense>
      <TableViews session={session} table="dispute-queue" path="/disputes" query={query}>
        <RenderWithin
          key={list}
          content={cases}
          outline={<QueuePages list={list} reading={{ kind: 'loading' }} why={null} />}
        />
      </TableViews>
    </>
  )
}

const head = { title: 'Disputes', lead: 'Payment disputes between two parties, resolved by an arbitrator.' }

async function Head({ session }: { session: Session }) {
  if (!(await mayWorkOnCases(session))) return <PageHead {...head} />
  return <AssignNext {...head} takesRequests />
}

async function readCases(session: Session, query: URLSearchParams) {
  const { filter, state } = readQueueAddress(query)
  const { list } = filter
  const [view, mayAssign] = await Promise.all([
    queueFor(session, filter, { page: state.page, size: state.size }),
    mayWorkOnCases(session),
  ])
  if (view.adminView === 'proved') {
    const facts = comingFacts(session, referencesOf(view.rows))
    return <QueueTable initial={view} address={queueQuery(query)} facts={facts} mayAssign={mayAssign} />
  }
  const { problem } = view.index
  if (problem?.kind === 'session-over') return await leaveForSignIn()
  if (problem !== null) {
    return <QueuePages list={list} reading={{ kind: 'problem', problem }} why={null} />
  }
  const result = await readOrSignIn(queuePage(session, list, { page: state.page, pageSize: state.size }))
  const rows = result.ok ? result.value.rows.flatMap((row) => (row.readable ? [row.value] : [])) : []
  return (
    <QueuePages
      list={list}
      reading={result.ok ? { kind: 'rows', ...result.value } : { kind: 'problem', problem: result.problem }}
      facts={comingFacts(session, referencesOf(rows))}
      why={
        <p role="status" className="min-w-56 flex-1 basis-72 text-attention text-sm">
          Admin view is not confirmed: only cases visible to you, unsorted and unfiltered.
        </p>
      }
      empty={<QueueEmpty list={list} adminView="not-proved" />}
    />
  )
}

const referencesOf = (rows: readonly QueueRow[]) => rows.map(({ reference }) => reference)
