import 'server-only'
import { log } from '#lib/config/log.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { endClaims } from '#lib/disputes/workspace/claim-table.ts'
import { store } from '#lib/store/store.ts'
import { rememberCases } from './cases-seen-table.ts'

/** Keeps what was read of cases; those that are resolved are nobody's any more. A store that fails costs this and no more. */
export async function noteCases(cases: readonly ThreadCase[], seenAt: string): Promise<void> {
  if (cases.length === 0) return
  const rows = cases.map((seen) => ({
    id: seen.id,
    reference: seen.referenceId,
    raised_by: seen.raisedByUserId,
    counterparty: seen.counterpartyUserId,
    status: seen.status,
    created_at: seen.createdAt,
    resolved_at: seen.resolvedAt,
    outcome: seen.resolutionOutcome,
    resolved_by: seen.resolvedByUserId,
  }))
  try {
    const db = await store()
    await rememberCases(db, rows, seenAt)
    await endClaims(
      db,
      cases.filter(({ status }) => status === 'RESOLVED').map(({ id }) => id),
    )
  } catch (error) {
    log().error({ event: 'cases-seen', error: error instanceof Error ? error.name : 'error' })
  }
}
