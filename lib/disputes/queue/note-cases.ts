import 'server-only'
import { log } from '#lib/config/log.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { endClaims } from '#lib/disputes/workspace/claim-table.ts'
import { store } from '#lib/store/store.ts'
import { indexCases } from './case-index-table.ts'

/** `seenAt`: ISO 8601. Ends the claims of resolved cases. */
export async function keepCases(cases: readonly ThreadCase[], seenAt: string): Promise<void> {
  if (cases.length === 0) return
  const db = await store()
  await indexCases(db, cases, seenAt)
  await endClaims(
    db,
    cases.filter(({ status }) => status === 'RESOLVED').map(({ id }) => id),
  )
}

/** Never rejects. */
export async function noteCases(cases: readonly ThreadCase[], seenAt: string): Promise<void> {
  await keepCases(cases, seenAt).catch((error: unknown) =>
    log().error({ event: 'case-index', error: error instanceof Error ? error.name : 'error' }),
  )
}

export const noteCase = (found: ThreadCase, seenAt = new Date().toISOString()): Promise<void> =>
  noteCases([found], seenAt)
