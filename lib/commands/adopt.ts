import 'server-only'
import type { Session } from '#lib/session/session.ts'
import { findLookedAt, findOpen } from '#lib/store/open-commands.ts'
import { store } from '#lib/store/store.ts'
import { mayWatch } from './change-sight.ts'
import { kindNamed } from './kinds.ts'
import { watchCommand } from './watch.ts'
import { watches } from './watched.ts'

/** At most this often in a process, whoever comes by. */
const EVERY_MS = 2_000

const shared = globalThis as typeof globalThis & { consoleAdoptedAt?: number }

/**
 * Goes on looking at open commands that nobody in this process looks at: after a restart the tokens of those who sent
 * them are out of reach until they come by, so anyone who may see them and read their effect does. With them those of
 * which no effect showed, for as long as one may still show.
 */
export async function adoptOpenCommands(session: Session): Promise<void> {
  const now = Date.now()
  if (now < (shared.consoleAdoptedAt ?? 0) + EVERY_MS) return
  shared.consoleAdoptedAt = now
  const db = await store()
  const looked = await findLookedAt(db, new Date(now).toISOString())
  for (const row of [...(await findOpen(db)), ...looked]) {
    if (watches().has(row.id) || kindNamed(row.kind) === undefined) continue
    if (await mayWatch(session, row)) watchCommand(session, row)
  }
}
