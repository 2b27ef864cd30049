import { Fragment, type ReactNode, Suspense } from 'react'
import { VerifiedBadge } from '#components/command/verified.tsx'
import { AccountMenu, Notifications } from '#components/frame/account-menu.tsx'
import { DisputeTarget } from '#components/frame/assigned-cases.tsx'
import { AssignedCasesWatch } from '#components/frame/assigned-cases-watch.tsx'
import { LiveDot } from '#components/frame/live-dot.tsx'
import { SkipLink } from '#components/frame/page-head.tsx'
import { NavigationProgress } from '#components/frame/page-progress.tsx'
import { AreaLinks, Rail } from '#components/frame/rail.tsx'
import { OpenCasesCount } from '#components/frame/rail-link.tsx'
import { SessionWatch } from '#components/frame/session-watch.tsx'
import { WaitingWatch } from '#components/frame/waiting-watch.tsx'
import { Omnibox } from '#components/look-up/omnibox.tsx'
import { TablePreferences } from '#components/table/table-preference.tsx'
import { Button } from '#components/ui/button.tsx'
import { Menu } from '#components/ui/icons.tsx'
import { sprite } from '#components/ui/sprite.ts'
import { HintLayer } from '#components/values/copyable.tsx'
import { ServiceName } from '#components/values/facts.tsx'
import { TimePreference } from '#components/values/timestamp.tsx'
import { permittedBy } from '#lib/authorization/judge.ts'
import { recordKnownPerson } from '#lib/commands/policy/known-people.ts'
import { resumeOpenCommands } from '#lib/commands/reconcile.ts'
import { config } from '#lib/config/config.ts'
import { decisionTarget } from '#lib/disputes/queue/decision-target.ts'
import { openCountAtHand } from '#lib/disputes/queue/queue-view.ts'
import { assignedCasesOf } from '#lib/disputes/unread/read-assigned-cases.ts'
import { recordCandidate } from '#lib/disputes/workspace/case-people.ts'
import { type Access, accessAtHand, readAccess } from '#lib/service/scopes.ts'
import { leaveForSignIn, requireSession } from '#lib/session/current.ts'
import { endedAsNoStaff } from '#lib/session/end-session.ts'
import { idleMs, stateOf } from '#lib/session/limits.ts'
import { readPreferences } from '#lib/session/preferences.ts'
import { type Session, verifiedUntil } from '#lib/session/session.ts'

/** Waits only for the session; everything else is streamed. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const session = await requireSession()
  void resumeOpenCommands(session).catch(() => {})
  void recordCandidate(session)
  void recordKnownPerson(session)
  // Needs no extra query: preferences are read together with the session.
  const { theme, timeFirst, notify, density, hiddenColumns } = await readPreferences(session)
  const known = accessAtHand(session)
  const scopes = known === null ? scopesOf(session) : scopesIn(known)
  const openCases = (
    <Suspense fallback={null}>
      <OpenCases session={session} />
    </Suspense>
  )
  return (
    <TimePreference first={timeFirst} madeAtMs={Date.now()}>
      <DisputeTarget target={decisionTarget()}>
        <HintLayer>
          <SkipLink to="main">Skip to the page</SkipLink>
          <SessionWatch
            initial={stateOf(session)}
            idleMs={idleMs()}
            className="grid min-h-dvh print:block grid-cols-[minmax(0,1fr)] sm:grid-cols-[56px_minmax(0,1fr)] wide:grid-cols-[224px_minmax(0,1fr)]"
          >
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own lines of icons, and nothing else. */}
            <svg aria-hidden className="hidden" dangerouslySetInnerHTML={{ __html: sprite }} />
            <NavigationProgress />
            <Suspense fallback={null}>
              <AssignedCases session={session} notify={notify} />
            </Suspense>
            <WaitingWatch notify={notify} />
            <Rail links={<AreaLinks scopes={scopes} openCases={openCases} />} />
            <div className="flex min-w-0 flex-col">
              <Bar verifiedUntil={verifiedUntil(session)} omnibox={<Omnibox scopes={Promise.resolve(scopes)} />}>
                <AccountMenu
                  name={session.displayName}
                  theme={theme}
                  timeFirst={timeFirst}
                  notifications={
                    <Permitted session={session} known={known} until={null}>
                      {(access) =>
                        permittedBy(access, 'caseWorkspace.write') || wantsApprovals() ? (
                          <Notifications chosen={notify} approvals={wantsApprovals()} />
                        ) : null
                      }
                    </Permitted>
                  }
                  roles={
                    <Permitted session={session} known={known} until="Reading the roles">
                      {rolesIn}
                    </Permitted>
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
        </HintLayer>
      </DisputeTarget>
    </TimePreference>
  )
}

const wantsApprovals = (): boolean => config().policy.rules.some(({ approval }) => approval !== undefined)

const scopesIn = ({ scopes }: Access): readonly string[] | null => (scopes === null ? null : [...scopes])

const scopesOf = async (session: Session) => scopesIn(await readAccess(session))

interface PermittedProps {
  session: Session
  /** The cached access; null when it has to be read first. */
  known: Access | null
  until: ReactNode
  children: (access: Access) => ReactNode
}

function Permitted({ session, known, until, children }: PermittedProps) {
  if (known !== null) return children(known)
  return (
    <Suspense fallback={until}>
      <ReadFirst session={session}>{children}</ReadFirst>
    </Suspense>
  )
}

async function ReadFirst({ session, children }: Pick<PermittedProps, 'session' | 'children'>) {
  const access = await readAccess(session)
  if (endedAsNoStaff(session.id)) await leaveForSignIn()
  return children(access)
}

const OpenCases = async ({ session }: { session: Session }) => (
  <OpenCasesCount initial={await openCountAtHand(session)} />
)

const AssignedCases = async ({ session, notify }: { session: Session; notify: boolean }) => (
  <AssignedCasesWatch initial={await assignedCasesOf(session)} notify={notify} />
)

function rolesIn({ roles }: Access): ReactNode {
  if (roles.length === 0) return 'Roles not known'
  return roles.map((role, index) => (
    <Fragment key={role}>
      {index === 0 ? null : ', '}
      <ServiceName of="role" name={role} />
    </Fragment>
  ))
}

interface BarProps {
  /** ISO 8601 end of the step-up grant. */
  verifiedUntil: string | null
  omnibox: ReactNode
  children: ReactNode
}

const Bar = ({ verifiedUntil, omnibox, children }: BarProps) => (
  <header className="sticky top-0 z-20 flex min-h-(--bar-height) items-center print:hidden gap-3 border-b bg-background px-3 sm:px-5">
    <Button variant="ghost" size="icon" popoverTarget="areas" aria-label="Areas" className="sm:hidden">
      <Menu aria-hidden />
    </Button>
    {omnibox}
    <div className="ml-auto flex min-w-0 items-center gap-2">
      <LiveDot />
      <VerifiedBadge initial={verifiedUntil} />
      {children}
    </div>
  </header>
)
