import { findReversals, theOnly } from '#lib/commands/reversal.ts'
import type { CommandView } from '#lib/domain/command.ts'
import { type Disputed, REVERSAL_LINE } from '#lib/domain/resolution.ts'
import type { ThreadCase } from '#lib/domain/thread.ts'
import type { Session } from '#lib/session/session.ts'
import type { KnownReversal } from './resolved-panel.tsx'

/**
 * The transaction that refunded the sender of a resolved case: as this console was told when it resolved the case, else as
 * the sender's history shows it beyond doubt.
 */
export async function knownReversal(
  session: Session,
  { resolvedAt, resolvedByUserId, resolutionReason }: ThreadCase,
  disputed: Disputed | null,
  latest: CommandView | null,
): Promise<KnownReversal> {
  const lines = latest?.outcome.class === 'done' ? latest.outcome.lines : null
  const told = lines?.find(({ label }) => label === REVERSAL_LINE)
  if (told?.as === 'reference') return { reference: told.value }
  // Resolved from here, and no refund was asked for.
  if (lines !== null && told === undefined) return 'none'
  if (disputed === null || resolvedAt === null || resolvedByUserId === null || resolutionReason === null)
    return 'not known'
  const found = await findReversals(session, disputed, resolvedAt)
  const reference = found.ok ? theOnly(found.value) : null
  return reference === null ? 'not known' : { reference }
}
