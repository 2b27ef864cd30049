import 'server-only'
import { config } from '#lib/config/config.ts'
import { errorName, log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { endSession } from '#lib/session/end-session.ts'
import { liveSessions } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { readStaffClaim } from '#lib/session/sign-in/admission.ts'
import type { Claims } from '#lib/session/sign-in/claim.ts'
import { askUserinfo, type UserinfoAnswer } from '#lib/session/sign-in/identity-provider.ts'
import { runPeriodically } from '#lib/store/periodic.ts'
import { store } from '#lib/store/store.ts'
import { accessToken } from './access-token.ts'
import { findSession, type WhyEnded } from './session-table.ts'

const MINUTE_MS = 60_000
const AT_ONCE = 8

/** Some providers renew tokens of disabled people. */
export function watchUserinfo(): void {
  const { userinfoMinutes } = config().sso
  if (userinfoMinutes === null) return
  const everyMs = userinfoMinutes * MINUTE_MS
  const onFailure = (error: unknown) => log().warn({ event: 'userinfo', error: errorName(error) })
  perProcess('userinfo checks', () =>
    runPeriodically(checkAllSessions, { everyMs, deadlineMs: Math.max(everyMs, 5 * MINUTE_MS), onFailure }),
  )
}

async function checkAllSessions(): Promise<void> {
  const waiting = [...liveSessions().values()].filter(({ method }) => method === 'sso')
  const work = async () => {
    for (let session = waiting.pop(); session !== undefined; session = waiting.pop()) await checkSession(session)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

const works = (): { atAll: boolean } => perProcess('userinfo answered', () => ({ atAll: false }))

/** An outage ends nothing. */
export async function checkSession(session: Session): Promise<void> {
  const first = await accessToken(session)
  if (!first.ok) return
  let answer = await askUserinfo(first.token)
  if (answer.kind === 'refused' && answer.status === 401) {
    const renewed = await accessToken(session, first.token)
    if (!renewed.ok) return
    answer = await askUserinfo(renewed.token)
  }
  const why = await whyOver(session, answer)
  if (why === null) return
  log().warn({ event: 'userinfo', why }, 'the provider’s userinfo ends a session')
  await endSession(session.id, why)
}

async function whyOver(session: Session, answer: UserinfoAnswer): Promise<WhyEnded | null> {
  if (answer.kind === 'claims') {
    works().atAll = true
    return await whyOverBy(session, answer.claims)
  }
  if (answer.kind !== 'refused') return null
  // Any other refusal may be of all tokens, unless one was accepted before.
  return answer.status === 401 || works().atAll ? 'refused' : null
}

async function whyOverBy({ id, admittedBy }: Session, claims: Claims): Promise<WhyEnded | null> {
  const row = await findSession(await store(), id)
  if (row === undefined) return null
  if (row.idp_subject !== null && claims.sub !== row.idp_subject) return 'identity-changed'
  const claim = admittedBy === 'claim' ? readStaffClaim(claims) : null
  return claim === null || ['match', 'absent', 'overage'].includes(claim.shape) ? null : 'not-staff'
}
