import 'server-only'
import { log } from '#lib/config/log.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import { endClaims } from '#lib/disputes/workspace/claim-table.ts'
import { store } from '#lib/store/store.ts'
import { indexCases } from './case-index-table.ts'

/** Puts what was read of cases at `seenAt` (ISO 8601) into the index; those that are resolved are nobody's any more. */
export async function keepCases(cases: readonly ThreadCase[], seenAt: string): Promise<void> {
  if (cases.length === 0) return
  const db = await store()
  await indexCases(db, cases, seenAt)
  await endClaims(
    db,
    cases.filter(({ status }) => status === 'RESOLVED').map(({ id }) => id),
  )
}

/** {@link keepCases} of what was read beside a sweep. A store that fails costs this and no more. */
export async function noteCases(cases: readonly ThreadCase[], seenAt: string): Promise<void> {
  await keepCases(cases, seenAt).catch((error: unknown) =>
    log().error({ event: 'case-index', error: error instanceof Error ? error.name : 'error' }),
  )
}

/** A case that was just read by itself is newer than what the latest sweep told of it. */
export const noteCase = (found: ThreadCase, seenAt = new Date().toISOString()): Promise<void> =>
  noteCases([found], seenAt)
