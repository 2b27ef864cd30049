import { Fragment, type ReactNode, Suspense } from 'react'
import { DisputeTarget } from '#components/disputes/dispute-target.tsx'
import { AccountMenu } from '#components/frame/account-menu.tsx'
import { Bar } from '#components/frame/bar.tsx'
import { Notifications } from '#components/frame/notifications.tsx'
import { OwnCasesWatch } from '#components/frame/own-cases-watch.tsx'
import { PageOnItsWay } from '#components/frame/page-on-its-way.tsx'
import { AreaLinks, Rail } from '#components/frame/rail.tsx'
import { SessionWatch } from '#components/frame/session-watch.tsx'
import { SkipLink } from '#components/frame/skip-link.tsx'
import { Omnibox } from '#components/look-up/omnibox.tsx'
import { TablePreferences } from '#components/table/table-preference.tsx'
import { ServiceName } from '#components/values/service-name.tsx'
import { TimePreference } from '#components/values/time-preference.tsx'
import { resumeOpenCommands } from '#lib/commands/watch.ts'
import { config } from '#lib/config/config.ts'
import type { OpenCount } from '#lib/disputes/queue/queue.ts'
import { openCountAtHand } from '#lib/disputes/queue/queue-view.ts'
import { ownCasesOf } from '#lib/disputes/unread/own-cases-of.ts'
import { mayWorkOnCases } from '#lib/disputes/workspace/case-access.ts'
import { noteCandidate } from '#lib/disputes/workspace/case-people.ts'
import { readAccess } from '#lib/service/scopes.ts'
import { leaveForSignIn, requireSession } from '#lib/session/current.ts'
import { endedAsNoStaff } from '#lib/session/end-session.ts'
import { idleMs } from '#lib/session/limits.ts'
import { readPreferences } from '#lib/session/preferences.ts'
import type { Session } from '#lib/session/session.ts'
import { stateOf } from '#lib/session/state-of-session.ts'
import { verifiedUntil } from '#lib/session/step-up-grants.ts'

/** The frame around every page of a signed-in person: rail, bar, and the page itself. It waits for no service. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const session = await requireSession()
  void resumeOpenCommands(session).catch(() => {})
  void noteCandidate(session)
  const [{ theme, timeFirst, notify, density, hiddenColumns }, openCases, ownCases] = await Promise.all([
    readPreferences(session),
    openCountAtHand(session),
    ownCasesOf(session),
  ])
  return (
    <TimePreference first={timeFirst}>
      <DisputeTarget hours={config().disputeTargetHours}>
        <SkipLink to="main">Skip to the page</SkipLink>
        <SessionWatch
          initial={stateOf(session)}
          idleMs={idleMs()}
          className="grid min-h-dvh grid-cols-[minmax(0,1fr)] sm:grid-cols-[56px_minmax(0,1fr)] wide:grid-cols-[224px_minmax(0,1fr)]"
        >
          <PageOnItsWay />
          <OwnCasesWatch initial={ownCases} notify={notify} />
          <Rail
            links={
              <Suspense fallback={<AreaLinks scopes={null} openCases={openCases} />}>
                <PermittedLinks session={session} openCases={openCases} />
              </Suspense>
            }
          />
          <div className="flex min-w-0 flex-col">
            <Bar verifiedUntil={verifiedUntil(session.id)} omnibox={<Omnibox scopes={scopesOf(session)} />}>
              <AccountMenu
                name={session.displayName}
                theme={theme}
                timeFirst={timeFirst}
                notifications={
                  <Suspense fallback={null}>
                    <PermittedNotifications session={session} chosen={notify} />
                  </Suspense>
                }
                roles={
                  <Suspense fallback="Reading the roles">
                    <Roles session={session} />
                  </Suspense>
                }
              />
            </Bar>
            <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-4 py-5 short:py-3 outline-none sm:px-6">
              <TablePreferences density={density} hiddenColumns={hiddenColumns}>
                {children}
              </TablePreferences>
            </main>
          </div>
        </SessionWatch>
      </DisputeTarget>
    </TimePreference>
  )
}

/** Null where they are not known. */
async function scopesOf(session: Session): Promise<readonly string[] | null> {
  const { scopes } = await readAccess(session)
  return scopes === null ? null : [...scopes]
}

/** The areas, once it is known which of them are of use to this person. */
async function PermittedLinks({ session, openCases }: { session: Session; openCases: OpenCount }) {
  const scopes = await scopesOf(session)
  if (endedAsNoStaff(session.id)) await leaveForSignIn()
  return <AreaLinks scopes={scopes} openCases={openCases} />
}

/** For who works on cases. */
async function PermittedNotifications({ session, chosen }: { session: Session; chosen: boolean }) {
  return (await mayWorkOnCases(session)) ? <Notifications chosen={chosen} /> : null
}

async function Roles({ session }: { session: Session }) {
  const { roles } = await readAccess(session)
  if (roles.length === 0) return 'Roles not known'
  return roles.map((role, index) => (
    <Fragment key={role}>
      {index === 0 ? null : ', '}
      <ServiceName of="role" name={role} />
    </Fragment>
  ))
}
