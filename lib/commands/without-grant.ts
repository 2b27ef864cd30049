import 'server-only'
import { readTotpStatus } from '#lib/core-api/security.ts'
import type { Sent } from '#lib/core-api/send.ts'
import type { Session } from '#lib/session/session.ts'
import type { CommandRow } from '#lib/store/commands.ts'
import type { OwnAct } from './command-kind.ts'
import type { Settled } from './outcome.ts'

/** The service tells times in whole seconds, and an enrolment right before the request proves nothing. */
const MARGIN_MS = 2_000

/**
 * A gated request that went out without a grant, of somebody who was enrolled when it did, cannot have taken effect: the
 * grant is a condition of it. So an answer that was lost leaves no doubt. Of anybody else it does.
 */
export async function withoutGrant(
  session: Session,
  row: CommandRow,
  sent: Sent<unknown> | OwnAct,
  told: Settled,
): Promise<Settled> {
  if (told.state !== 'unknown' || !('ungranted' in sent) || !sent.ungranted) return told
  if (!(await wasEnrolled(session, row))) return told
  return {
    state: 'refused',
    outcome: {
      class: 'refused',
      sent: true,
      title: 'It was not applied',
      advice:
        'No answer came, but it went out without a verified code, and the service applies nothing of the kind for somebody with two-factor security. Do it anew: the code is asked for first.',
      problem: null,
    },
    note: { ...told.note, why: 'sent without a grant by a person who is enrolled' },
  }
}

/** By how long ago each was, so that no two clocks are compared. */
async function wasEnrolled(session: Session, row: CommandRow): Promise<boolean> {
  const status = await readTotpStatus(session)
  if (!status.ok || !status.value.enrolled || status.value.enrolledAt === null || status.serviceTime === null)
    return false
  const enrolledAgo = Date.parse(status.serviceTime) - Date.parse(status.value.enrolledAt)
  const sentAgo = Date.now() - Date.parse(row.sent_at ?? row.created_at)
  return enrolledAgo > sentAgo + MARGIN_MS
}
