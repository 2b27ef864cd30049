import { ProblemPanel } from '#components/domain/problem-panel.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { readTotpStatus } from '#lib/core-api/security.ts'
import { lockedSeconds } from '#lib/domain/service-clock.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { digitsOf } from '#lib/store/totp-digits.ts'
import { readOrLeave } from '../read-or-leave.ts'
import { TwoFactorDesk } from './two-factor-desk.tsx'

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
    <TwoFactorDesk
      enrolled={enrolled}
      enrolledAt={enrolledAt}
      lockedUntil={lockedUntil}
      lockedSeconds={lockedSeconds(lockedUntil, status.serviceTime)}
      digits={digits}
    />
  )
}
