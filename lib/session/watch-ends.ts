import 'server-only'
import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { inRounds } from '#lib/store/in-rounds.ts'
import { store } from '#lib/store/store.ts'
import { idleMs } from './limits.ts'
import { dropLive, liveSessions } from './live-sessions.ts'
import { sweepSessions } from './session-end-table.ts'

/** Every process must notice an end within five seconds, including the query. */
const LOOK_EVERY_MS = 2_000

/** Longer than the query's timeout: a round that still hangs must not block the next one. */
const DEADLINE_MS = 15_000

export function watchEnds(): void {
  const onFailure = (error: unknown) =>
    log().warn({ event: 'session-watch', error: error instanceof Error ? error.name : 'unknown' })
  perProcess('ends watch', () => inRounds(noticeEnds, { everyMs: LOOK_EVERY_MS, deadlineMs: DEADLINE_MS, onFailure }))
}

export async function noticeEnds(): Promise<void> {
  // Read before the query: a session that begins during it is alive but missing from the result.
  const ids = [...liveSessions().keys()]
  const now = Date.now()
  const living = await sweepSessions(await store(), {
    ids,
    now: new Date(now).toISOString(),
    idleSince: new Date(now - idleMs()).toISOString(),
  })
  for (const id of ids) if (!living.has(id)) dropLive(id)
}
