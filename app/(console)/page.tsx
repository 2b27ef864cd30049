import { Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { PanelOutline } from '#components/frame/panel.tsx'
import { homeChanges } from '#lib/activity/open-changes.ts'
import { refusedFrom } from '#lib/authorization/judge.ts'
import { type EndingHolds as Holds, holdsEnding, holdsNow } from '#lib/deposits/confirmed-deposits.ts'
import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { comingFacts } from '#lib/disputes/queue/transaction-facts.ts'
import { assignedCasesWithin } from '#lib/disputes/unread/read-assigned-cases.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import { leaveForSignIn, requireSession } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { DisputesByAge, OpenDisputesNotKnown } from './disputes/disputes-by-age.tsx'
import { countHolds, EndingHolds } from './ending-holds.tsx'
import { HomeLive } from './home-live.tsx'
import { type Counted, HomeNumber } from './home-number.tsx'
import { MyCasesPanel, TITLE } from './my-cases-panel.tsx'

export default async function HomePage() {
  const session = await requireSession()
  const [changes, holds] = await Promise.all([homeChanges(session), holdsEnding(session)])
  const read = holdsNow(session, holds)
  // Prevents an unhandled rejection; the parts that await this promise report the failure.
  read.catch(() => {})
  return (
    <>
      <PageHead title="Home" lead="Work that needs you." />
      <HomeLive
        initial={changes}
        numbers={
          <>
            <HomeNumber
              title="Holds ending within 24 hours"
              href="/deposits"
              counted={read.then(countHolds)}
              until={countHolds(holds)}
            />
            <HomeNumber title="Open disputes" href="/disputes" counted={countOpenDisputes(session)} />
          </>
        }
        left={
          <>
            <MyCases session={session} />
            <OpenDisputes session={session} />
          </>
        }
        right={
          <Suspense fallback={<EndingHolds holds={holds} />}>
            <EndingHoldsNow holds={read} />
          </Suspense>
        }
      />
    </>
  )
}

const EndingHoldsNow = async ({ holds }: { holds: Promise<Holds> }) => <EndingHolds holds={await holds} />

/** The number is known only if the list of all cases was read completely. */
async function countOpenDisputes(session: Session): Promise<Counted> {
  const scope = 'core:disputes:read'
  if (!may(await readAccess(session), scope)) return { value: null, words: `it needs the scope ${scope}` }
  const { open: count } = await queueFor(session, everyOpenCase, { page: 1, size: 1 })
  if (typeof count === 'number') return { value: count, words: 'everyone’s' }
  return { value: null, words: count === null ? 'only your own cases' : count.notKnown }
}

/** Cases that take longer to read arrive through the browser's updates. */
const WITHIN_MS = 2_000

async function MyCases({ session }: { session: Session }) {
  const refusal = await refusedFrom(session, 'caseWorkspace.read')
  if (refusal?.known) return null
  return (
    <Suspense fallback={<PanelOutline title={TITLE} lines={3} />}>
      <Cases session={session} />
    </Suspense>
  )
}

async function Cases({ session }: { session: Session }) {
  return <MyCasesPanel initial={(await assignedCasesWithin(session, WITHIN_MS)) ?? null} />
}

const BY_AGE_TITLE = 'Open disputes by age'
const OLDEST = 10

async function OpenDisputes({ session }: { session: Session }) {
  if (!may(await readAccess(session), 'core:disputes:read')) return null
  return (
    <Suspense fallback={<PanelOutline title={BY_AGE_TITLE} lines={4} />}>
      <Disputes session={session} />
    </Suspense>
  )
}

async function Disputes({ session }: { session: Session }) {
  const view = await queueFor(session, everyOpenCase, { page: 1, size: OLDEST })
  const { problem, completeAt } = view.index
  if (problem?.kind === 'session-over') return await leaveForSignIn()
  if (completeAt === null) return <OpenDisputesNotKnown title={BY_AGE_TITLE} view={view} />
  // An operator without dispute cases gets no panel.
  if (view.listed === 0 && view.adminView !== 'proved') return null
  const facts = comingFacts(
    session,
    view.rows.map(({ reference }) => reference),
  )
  return <DisputesByAge title={BY_AGE_TITLE} view={view} facts={facts} />
}
