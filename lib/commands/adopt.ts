import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { findLookedAt, findOpen } from '#lib/store/open-commands.ts'
import { store } from '#lib/store/store.ts'
import { mayWatch } from './change-sight.ts'
import { kindNamed } from './kinds.ts'
import { watchCommand } from './watch.ts'
import { watches } from './watched.ts'

/** At most this often for one session: somebody who may adopt nothing keeps nobody else from it. */
const EVERY_MS = 2_000
const SESSIONS_MAX = 1_000

const shared = globalThis as typeof globalThis & { consoleAdoptedAt?: Map<string, number> }

/**
 * Goes on looking at open commands that nobody in this process looks at: after a restart the tokens of those who sent
 * them are out of reach until they come by, so anyone who may see them and read their effect does. With them those of
 * which no effect showed, for as long as one may still show.
 */
export async function adoptOpenCommands(session: Session): Promise<void> {
  const now = Date.now()
  shared.consoleAdoptedAt ??= new Map()
  const lately = shared.consoleAdoptedAt
  if (now < (lately.get(session.id) ?? 0) + EVERY_MS) return
  if (lately.size >= SESSIONS_MAX) lately.clear()
  lately.set(session.id, now)
  const db = await store()
  const looked = await findLookedAt(db, new Date(now).toISOString())
  for (const row of [...(await findOpen(db)), ...looked]) {
    if (watches().has(row.id) || kindNamed(row.kind) === undefined) continue
    if (await mayWatch(session, row)) watchCommand(session, row)
  }
}
