import { Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { homeChanges } from '#lib/activity/open-changes.ts'
import { type EndingHolds as Holds, holdsEnding, holdsNow } from '#lib/deposits/holds.ts'
import { requireSession } from '#lib/session/current.ts'
import { countOpenDisputes } from './count-open-disputes.ts'
import { countHolds, EndingHolds } from './ending-holds.tsx'
import { HomeLive } from './home-live.tsx'
import { HomeNumber } from './home-number.tsx'
import { MyCases } from './my-cases.tsx'
import { OpenDisputes } from './open-disputes.tsx'

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

/** What is known of holds by now: what this console has seen stands there meanwhile. */
const EndingHoldsNow = async ({ holds }: { holds: Promise<Holds> }) => <EndingHolds holds={await holds} />
