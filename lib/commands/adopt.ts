import 'server-only'
import type { Session } from '#lib/session/session.ts'
import type { CommandRow } from '#lib/store/commands.ts'
import { findLookedAt, findOpen } from '#lib/store/open-commands.ts'
import { store } from '#lib/store/store.ts'
import { mayWatch } from './change-sight.ts'
import { kindNamed } from './kinds.ts'
import { onceIn } from './once-in.ts'
import { watchCommand } from './watch.ts'
import { watches } from './watched.ts'

/** At most this often for one session, so that one that may adopt nothing keeps no other from it. */
const EVERY_MS = 2_000

interface Adoption {
  /** When each session came by last. */
  readonly sessions: Map<string, number>
  /** One reading serves all sessions that come by within the same time. */
  readAt: number
  rows: Promise<readonly CommandRow[]>
}

const shared = globalThis as typeof globalThis & { consoleAdoption?: Adoption }

/**
 * Goes on looking at open commands that nobody in this process looks at: after a restart the tokens of those who sent
 * them are out of reach until they come by, so anyone who may see them and read their effect does. With them those of
 * which no effect showed, for as long as one may still show.
 */
export async function adoptOpenCommands(session: Session): Promise<void> {
  shared.consoleAdoption ??= { sessions: new Map(), readAt: 0, rows: Promise.resolve([]) }
  const adoption = shared.consoleAdoption
  if (!onceIn(adoption.sessions, session.id, EVERY_MS)) return
  if (Date.now() >= adoption.readAt + EVERY_MS) Object.assign(adoption, { readAt: Date.now(), rows: lookedAtNow() })
  for (const row of await adoption.rows) {
    if (watches().has(row.id) || kindNamed(row.kind) === undefined) continue
    if (await mayWatch(session, row)) watchCommand(session, row)
  }
}

async function lookedAtNow(): Promise<readonly CommandRow[]> {
  const db = await store()
  const [open, looked] = await Promise.all([findOpen(db), findLookedAt(db, new Date().toISOString())])
  return [...open, ...looked]
}
