import { Suspense } from 'react'
import { PageHead } from '#components/frame/page-head.tsx'
import { ButtonLink, Panel, PanelOutline } from '#components/frame/panel.tsx'
import { permits } from '#lib/authorization/judge.ts'
import { findLatestDoneBy } from '#lib/commands/queries.ts'
import { digitsOf, lockAhead } from '#lib/commands/step-up.ts'
import { config } from '#lib/config/config.ts'
import type { TotpStatus } from '#lib/contract/security.ts'
import { lockedSeconds, type Result } from '#lib/service/client.ts'
import { readTotpStatus } from '#lib/service/security.ts'
import { requireSession } from '#lib/session/current.ts'
import type { Session, SignInMethod } from '#lib/session/session.ts'
import { sessionsOfPerson } from '#lib/session/session-lists.ts'
import { browserWords } from '#lib/session/user-agent.ts'
import { store } from '#lib/store/store.ts'
import { passkeysAreAskedFor, passkeysOf } from '#lib/two-factor/enrol-passkey.ts'
import { readOrSignIn } from '../page-reads.tsx'
import { Passkeys } from './passkeys.tsx'
import { OlderSessions, SessionList } from './session-list.tsx'
import { TwoFactorActions, type TwoFactorStatus } from './two-factor-actions.tsx'

export default async function SecurityPage() {
  const session = await requireSession()
  return (
    <>
      <PageHead
        title="Security"
        lead="Your sign-in, passkeys and sessions."
        action={
          <>
            <ButtonLink href="/security/policy" variant="outline">
              Policy
            </ButtonLink>
            <Suspense fallback={null}>
              <SessionsLink session={session} />
            </Suspense>
          </>
        }
      />
      <div className="grid gap-4">
        <Suspense>
          <OlderSessionsPanel session={session} />
        </Suspense>
        <Suspense fallback={<PanelOutline title="Two-factor security" lines={5} />}>
          <TwoFactorPanel session={session} />
        </Suspense>
        <Suspense>
          <PasskeysPanel session={session} />
        </Suspense>
        <div className="grid gap-4 wide:grid-cols-[minmax(0,1fr)_392px]">
          <SessionsPanel session={session} />
        </div>
      </div>
    </>
  )
}

const SessionsLink = async ({ session }: { session: Session }) =>
  (await permits(session, 'othersSessions.read')) ? (
    <ButtonLink href="/security/sessions" variant="outline">
      Who is signed in
    </ButtonLink>
  ) : null

async function PasskeysPanel({ session }: { session: Session }) {
  const passkeys = await passkeysOf(session)
  return passkeys.length > 0 || passkeysAreAskedFor() ? <Passkeys passkeys={passkeys} /> : null
}

const FACTOR_KINDS = ['totp.confirm', 'totp.remove', 'passkey.add', 'passkey.remove'] as const
const OFFERED_MS = 24 * 3_600_000

async function OlderSessionsPanel({ session }: { session: Session }) {
  const since = new Date(Date.now() - OFFERED_MS).toISOString()
  const change = await findLatestDoneBy(await store(), { actor: session.actor, kinds: FACTOR_KINDS, since })
  const changedAt = change?.settled_at ?? null
  if (changedAt === null) return null
  const older = (await sessionsOfPerson(session)).filter(({ current, startedAt }) => !current && startedAt < changedAt)
  return <OlderSessions key={changedAt} changedAt={changedAt} count={older.length} />
}

async function SessionsPanel({ session }: { session: Session }) {
  const sessions = await sessionsOfPerson(session)
  return (
    <Panel title="Your sessions">
      <p className="px-3.5 pt-3 text-secondary-foreground text-sm">
        Where you are signed in. A sixth sign-in ends the least recently active session.
      </p>
      <SessionList
        sessions={sessions.map(({ userAgent, method, ...listed }) => ({
          ...listed,
          browser: browserWords(userAgent),
          way: wayWords(method, session.method),
        }))}
      />
    </Panel>
  )
}

/** A person can sign in with a password and with single sign-on; sessions of both kinds are listed. */
function wayWords(method: SignInMethod, own: SignInMethod): string {
  const way = method === 'sso' ? config().sso.name : 'a password'
  return method === own ? `Signed in with ${way}` : `Your other sign-in: ${way}`
}

async function TwoFactorPanel({ session }: { session: Session }) {
  const status = await readOrSignIn(readTotpStatus(session))
  return (
    <TwoFactorActions
      status={status.ok ? await twoFactorStatus(session, status) : null}
      problem={status.ok ? null : status.problem}
    />
  )
}

const twoFactorStatus = async (
  session: Session,
  { value: { enrolled, enrolledAt, lockedUntil }, serviceTime }: Extract<Result<TotpStatus>, { ok: true }>,
): Promise<TwoFactorStatus> => ({
  ...{ enrolled, enrolledAt, lockedUntil },
  lockedSeconds: lockedSeconds(lockedUntil, serviceTime),
  lockAhead: lockAhead(session),
  digits: await digitsOf(await store(), session.actor, enrolledAt),
})
