import { Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink, PanelOutline, TextLink } from '#components/frame/panel.tsx'
import { FileUp, Landmark } from '#components/ui/icons.tsx'
import { homeChanges } from '#lib/activity/open-changes.ts'
import { holdsEnding, holdsNow } from '#lib/deposits/confirmed-deposits.ts'
import { handOversFor } from '#lib/deposits/hand-over.ts'
import { everyOpenCase } from '#lib/disputes/queue/queue.ts'
import { queueFor } from '#lib/disputes/queue/queue-view.ts'
import { comingFacts } from '#lib/disputes/queue/transaction-facts.ts'
import { assignedCasesWithin } from '#lib/disputes/unread/read-assigned-cases.ts'
import { mayWorkOnCases } from '#lib/disputes/workspace/case-people.ts'
import { may, readAccess } from '#lib/service/scopes.ts'
import { leaveForSignIn } from '#lib/session/current.ts'
import type { Session } from '#lib/session/session.ts'
import { openStatementsFor } from '#lib/statements/statement-list.ts'
import { AssignNext } from './disputes/assign-next.tsx'
import { DisputesByAge, OpenDisputesNotKnown } from './disputes/disputes-by-age.tsx'
import { HomeLive } from './home-live.tsx'
import { accessPage, SOON_MS } from './page-reads.tsx'

const STATEMENTS_SHOWN = 5

const head = { title: 'Home', lead: 'Work that needs you.' }

export default accessPage({ head, panel: 'Work', entry: 'signed-in', read: readHome })

async function readHome(session: Session) {
  const [changes, handOvers, cases, holds, statements, access, worksOnCases] = await Promise.all([
    homeChanges(session),
    handOversFor(session),
    // Cases that take longer to read arrive through the browser's updates.
    assignedCasesWithin(session, SOON_MS),
    holdsEnding(session),
    openStatementsFor(session, STATEMENTS_SHOWN),
    readAccess(session),
    mayWorkOnCases(session),
  ])
  const read = holdsNow(session, holds)
  // Prevents an unhandled rejection; the list then keeps what the store knows.
  read.catch(() => {})
  const confirms = may(access, 'core:transactions:confirm')
  const heading = { ...head, action: confirms ? <DepositActs /> : undefined }
  return (
    <>
      {worksOnCases ? <AssignNext {...heading} /> : <PageHead {...heading} />}
      <HomeLive
        initial={{ ...changes, handOvers }}
        initialCases={cases}
        holds={holds}
        holdsNow={read}
        statements={statements}
        empty={
          <>
            Nothing needs you now. {confirms ? <TextLink href="/deposits">Confirm a deposit</TextLink> : null}
            {confirms && worksOnCases ? ' or ' : null}
            {worksOnCases ? (
              <TextLink href="/disputes?claim=unassigned">{confirms ? 'open' : 'Open'} unassigned disputes</TextLink>
            ) : null}
          </>
        }
        below={<OpenDisputes session={session} worksOnCases={worksOnCases} />}
      />
    </>
  )
}

const DepositActs = () => (
  <div className="flex flex-wrap gap-2">
    <ButtonLink href="/deposits">
      <Landmark aria-hidden />
      Confirm a deposit
    </ButtonLink>
    <ButtonLink href="/deposits/statements" variant="outline">
      <FileUp aria-hidden />
      Import statement
    </ButtonLink>
  </div>
)

const BY_AGE_TITLE = 'Open disputes by age'
const OLDEST = 10

interface OpenDisputesProps {
  session: Session
  worksOnCases: boolean
}

async function OpenDisputes({ session, worksOnCases }: OpenDisputesProps) {
  if (!may(await readAccess(session), 'core:disputes:read')) return null
  const disputes = <Disputes session={session} worksOnCases={worksOnCases} />
  if (!worksOnCases) return <Suspense>{disputes}</Suspense>
  return <Suspense fallback={<PanelOutline title={BY_AGE_TITLE} lines={4} />}>{disputes}</Suspense>
}

async function Disputes({ session, worksOnCases }: OpenDisputesProps) {
  const view = await queueFor(session, everyOpenCase, { page: 1, size: OLDEST })
  const { problem, completeAt } = view.index
  if (problem?.kind === 'session-over') return await leaveForSignIn()
  // A failed read does not show whether the person has the admin view.
  if (view.adminView !== 'proved' && (problem === null || !worksOnCases)) return null
  if (view.adminView !== 'proved' || completeAt === null)
    return <OpenDisputesNotKnown title={BY_AGE_TITLE} view={view} />
  const facts = comingFacts(
    session,
    view.rows.map(({ reference }) => reference),
  )
  return <DisputesByAge title={BY_AGE_TITLE} view={view} facts={facts} />
}
