import 'server-only'
import { log } from '#lib/config/log.ts'
import { sweepSessions } from '#lib/store/session-ends.ts'
import { store } from '#lib/store/store.ts'
import { idleMs } from './limits.ts'
import { dropLive, liveSessions } from './live-sessions.ts'

/** With the time of a query, well below the five seconds in which every process must have noticed. */
const LOOK_EVERY_MS = 2_000

const shared = globalThis as typeof globalThis & { consoleEndsWatch?: NodeJS.Timeout }

/** Looks every two seconds which sessions have ended, wherever that was, until the process ends. */
export function watchEnds(): void {
  if (shared.consoleEndsWatch !== undefined) return
  let looking = false
  const timer = setInterval(async () => {
    if (looking) return
    looking = true
    await noticeEnds().catch((error: unknown) => {
      log().warn({ event: 'session-watch', error: error instanceof Error ? error.name : 'unknown' })
    })
    looking = false
  }, LOOK_EVERY_MS)
  // The process does not stay alive for it.
  timer.unref()
  process.once('exit', () => clearInterval(timer))
  shared.consoleEndsWatch = timer
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
