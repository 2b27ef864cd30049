import { ProblemPanel } from '#components/domain/problem-panel.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { readTotpStatus } from '#lib/core-api/security.ts'
import type { Session } from '#lib/session/session.ts'
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
  return <TwoFactorDesk enrolled={enrolled} enrolledAt={enrolledAt} lockedUntil={lockedUntil} />
}
