import 'server-only'
import { log } from '#lib/config/log.ts'
import type { ThreadCase } from '#lib/domain/thread.ts'
import { rememberCases } from '#lib/store/cases-seen.ts'
import { store } from '#lib/store/store.ts'

/** Keeps what was read of cases. A store that fails costs this memory and nothing else. */
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
    await rememberCases(await store(), rows, seenAt)
  } catch (error) {
    log().error({ event: 'cases-seen', error: error instanceof Error ? error.name : 'error' })
  }
}
