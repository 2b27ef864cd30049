import 'server-only'
import { log } from '#lib/config/log.ts'
import { nextLookSeconds } from '#lib/domain/look-schedule.ts'
import type { Session } from '#lib/session/session.ts'
import type { CommandRow } from '#lib/store/commands.ts'
import { kindNamed } from './kinds.ts'
import { settleByReading } from './settle.ts'
import { lookedAt } from './view.ts'
import { watches } from './watched.ts'

/** No process has more changes open than this; more would be a fault elsewhere. */
const WATCHES_MAX = 10_000

/**
 * Looks at an open command by itself, with this session's right to read, until it is settled or the schedule is over.
 * One that is settled, watched already, or beyond reading is left alone.
 */
export function watchCommand(session: Session, row: CommandRow): void {
  if (watches().has(row.id) || watches().size >= WATCHES_MAX) return
  plan(session, row)
}

function plan(session: Session, row: CommandRow): void {
  watches().delete(row.id)
  const as = lookedAt(row)
  if (as === null || (kindNamed(row.kind)?.look ?? null) === null) return
  const sentAt = Date.parse(row.sent_at ?? row.created_at)
  const next = nextLookSeconds(as, (Date.now() - sentAt) / 1000)
  if (next === null) return
  const lookAt = sentAt + next * 1000
  watches().set(row.id, { nextLookAt: lookAt })
  setTimeout(() => void lookAgain(session, row), Math.max(0, lookAt - Date.now())).unref()
}

async function lookAgain(session: Session, row: CommandRow): Promise<void> {
  try {
    const { command, sessionOver } = await settleByReading(session, row)
    // Whoever may read it and comes by next goes on with it.
    if (sessionOver) watches().delete(row.id)
    else plan(session, command)
  } catch {
    // The store is out for now. The schedule goes on.
    log().warn({ event: 'watch', id: row.id }, 'a command could not be looked at')
    plan(session, row)
  }
}
