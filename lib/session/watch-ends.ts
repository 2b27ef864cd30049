import 'server-only'
import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { inRounds } from '#lib/store/in-rounds.ts'
import { store } from '#lib/store/store.ts'
import { idleMs } from './limits.ts'
import { dropLive, liveSessions } from './live-sessions.ts'
import { sweepSessions } from './session-end-table.ts'

/** With the time of a query, well below the five seconds in which every process must have noticed. */
const LOOK_EVERY_MS = 2_000

/** A query ends by itself before; a round that hangs all the same keeps no later one from looking. */
const DEADLINE_MS = 15_000

/** Looks every two seconds which sessions have ended, wherever that was, until the process ends. */
export function watchEnds(): void {
  const onFailure = (error: unknown) =>
    log().warn({ event: 'session-watch', error: error instanceof Error ? error.name : 'unknown' })
  perProcess('ends watch', () => inRounds(noticeEnds, { everyMs: LOOK_EVERY_MS, deadlineMs: DEADLINE_MS, onFailure }))
}

/** One query: ends what is past its limits, and lets go of every session held here that is over. */
export async function noticeEnds(): Promise<void> {
  // Taken before the query: a session that begins while it runs is missing from its answer, and is not over.
  const ids = [...liveSessions().keys()]
  const now = Date.now()
  const living = await sweepSessions(await store(), {
    ids,
    now: new Date(now).toISOString(),
    idleSince: new Date(now - idleMs()).toISOString(),
  })
  for (const id of ids) if (!living.has(id)) dropLive(id)
}
