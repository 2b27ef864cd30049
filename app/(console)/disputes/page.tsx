import { Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { queryOf, type SearchParams } from '#components/table/table-state.ts'
import { Card } from '#components/ui/card.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp } from '#components/values/timestamp.tsx'
import { type DisputedWithoutCase, disputedWithoutCase } from '#lib/disputes/queue/find-cases.ts'
import type { QueueRow } from '#lib/disputes/queue/queue.ts'
import { queueFor, queuePage } from '#lib/disputes/queue/queue-view.ts'
import { comingFacts } from '#lib/disputes/queue/transaction-facts.ts'
import { mayWorkOnCases } from '#lib/disputes/workspace/case-people.ts'
import { leaveForSignIn, requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { TableViews } from '../../saved-views/table-views.tsx'
import { RenderWithin, readOrSignIn, startRead } from '../page-reads.tsx'
import { AssignNext } from './assign-next.tsx'
import { FactAmount, FactsOfCases } from './facts-of-cases.tsx'
import { listIn, queueQuery, readQueueAddress } from './queue-address.ts'
import { FactState } from './queue-cells.tsx'
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
    return (
      <>
        <WithoutCase session={session} found={await disputedWithoutCase(session)} />
        <QueueTable initial={view} address={queueQuery(query)} facts={facts} mayAssign={mayAssign} />
      </>
    )
  }
  const { problem } = view.index
  if (problem?.kind === 'session-over') return await leaveForSignIn()
  if (problem !== null) return <QueuePages list={list} reading={{ kind: 'problem', problem }} why={null} />
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

function WithoutCase({ session, found }: { session: Session; found: readonly DisputedWithoutCase[] }) {
  if (found.length === 0) return null
  const references = found.map(({ reference }) => reference)
  return (
    <Card className="mb-4 border-attention/45 print:hidden">
      <details>
        <summary className="px-3.5 py-2.5 font-[550] text-sm">
          {found.length === 1
            ? '1 disputed transaction has no case'
            : `${found.length} disputed transactions have no case`}
        </summary>
        <p className="max-w-prose px-3.5 pb-2 text-secondary-foreground text-sm">
          This console has seen each of these as disputed, and the case list has no case for it. Resolve it on its own
          page.
        </p>
        <FactsOfCases coming={comingFacts(session, references)}>
          <ul className="max-h-64 overflow-y-auto border-t">
            {found.map(({ reference, firstSeenAt }) => (
              <li
                key={reference}
                className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b px-3.5 py-2 text-sm last:border-b-0"
              >
                <Reference
                  value={reference}
                  name="Reference"
                  href={`/transactions/${encodeURIComponent(reference)}`}
                  className="sm:min-w-52"
                />
                <span className="figures sm:min-w-28 sm:text-right">
                  <FactAmount reference={reference} />
                </span>
                <FactState reference={reference} />
                <span className="text-secondary-foreground">
                  seen disputed <Timestamp value={firstSeenAt} as="past" />
                </span>
              </li>
            ))}
          </ul>
        </FactsOfCases>
      </details>
    </Card>
  )
}

const referencesOf = (rows: readonly QueueRow[]) => rows.map(({ reference }) => reference)
