import { Panel } from '#components/frame/panel.tsx'
import { ProblemPanel } from '#components/service/problem-panel.tsx'
import { lockAhead } from '#lib/commands/step-up.ts'
import { digitsOf } from '#lib/commands/totp-digits.ts'
import { readTotpStatus } from '#lib/service/security.ts'
import { lockedSeconds } from '#lib/service/service-clock.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { readOrLeave } from '../read-or-leave.ts'
import { TwoFactorActions } from './two-factor-actions.tsx'

/** The second factor of whoever is signed in, and what they can do about it. */
export async function TwoFactorPanel({ session }: { session: Session }) {
  const status = await readOrLeave(readTotpStatus(session))
  if (!status.ok) {
    return (
      <Panel title="Two-factor security">
        <ProblemPanel problem={status.problem} />
      </Panel>
    )
  }
  const { enrolled, enrolledAt, lockedUntil } = status.value
  const digits = await digitsOf(await store(), session.actor, enrolledAt)
  return (
    <TwoFactorActions
      enrolled={enrolled}
      enrolledAt={enrolledAt}
      lockedUntil={lockedUntil}
      lockedSeconds={lockedSeconds(lockedUntil, status.serviceTime)}
      lockAhead={lockAhead(session)}
      digits={digits}
    />
  )
}
