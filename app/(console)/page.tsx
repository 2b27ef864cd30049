import { Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { homeChanges } from '#lib/activity/open-changes.ts'
import { type EndingHolds as Holds, holdsEnding, holdsNow } from '#lib/deposits/holds.ts'
import { requireSession } from '#lib/session/current.ts'
import { EndingHolds, HoldsNumber } from './ending-holds.tsx'
import { HomeLive } from './home-live.tsx'
import { HomeNumber } from './home-number.tsx'
import { MyCases } from './my-cases.tsx'
import { OpenDisputes } from './open-disputes.tsx'
import { OpenDisputesNumber } from './open-disputes-number.tsx'

/** What needs this person, emptying as it is handled. */
export default async function HomePage() {
  const session = await requireSession()
  const [changes, holds] = await Promise.all([homeChanges(session), holdsEnding(session)])
  const read = holdsNow(session, holds)
  // The parts of the page that wait for it tell of a failure.
  read.catch(() => {})
  return (
    <>
      <PageHead title="Home" lead="What needs you, emptying as you handle it." />
      <HomeLive
        initial={changes}
        numbers={
          <>
            <Suspense fallback={<HoldsNumber holds={holds} />}>
              <HoldsNumberNow holds={read} />
            </Suspense>
            <Suspense fallback={<HomeNumber title="Open disputes" href="/disputes" value={null} reading />}>
              <OpenDisputesNumber session={session} />
            </Suspense>
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

/** What is known of holds by now: what this console has seen stands there meanwhile. */
interface HoldsNow {
  holds: Promise<Holds>
}

const HoldsNumberNow = async ({ holds }: HoldsNow) => <HoldsNumber holds={await holds} />

const EndingHoldsNow = async ({ holds }: HoldsNow) => <EndingHolds holds={await holds} />
