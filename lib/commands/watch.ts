import 'server-only'
import { boundedCache } from '#lib/config/cache.ts'
import { log, outsideWork } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { canReconcile } from './access.ts'
import { findOpen, findReconciledLater } from './command-lists.ts'
import type { CommandRow } from './command-table.ts'
import { reconcileCommand } from './reconcile.ts'
import { nextReconcileSeconds, watches } from './reconcile-schedule.ts'
import { kindNamed } from './registry.ts'
import { reconciledAs } from './view.ts'

const WATCHES_MAX = 10_000

/** Reads with this session's access until the command is settled or the schedule ends. */
export function watchCommand(session: Session, row: CommandRow): void {
  if (watches().has(row.id) || watches().size >= WATCHES_MAX) return
  plan(session, row)
}

function plan(session: Session, row: CommandRow): void {
  watches().delete(row.id)
  const as = reconciledAs(row)
  if (as === null || (kindNamed(row.kind)?.reconcile ?? null) === null) return
  const sentAt = Date.parse(row.sent_at ?? row.created_at)
  const next = nextReconcileSeconds(as, (Date.now() - sentAt) / 1000)
  if (next === null) return
  const at = sentAt + next * 1000
  const watch = { nextReconcileAt: at }
  watches().set(row.id, watch)
  const look = () => {
    // The watch was removed or replaced.
    if (watches().get(row.id) === watch) void reconcileAgain(session, row)
  }
  outsideWork(() => setTimeout(look, Math.max(0, at - Date.now())).unref())
}

async function reconcileAgain(session: Session, row: CommandRow): Promise<void> {
  try {
    const { command, sessionOver } = await reconcileCommand(session, row)
    if (sessionOver) watches().delete(row.id)
    else plan(session, command)
  } catch {
    log().warn({ event: 'watch', id: row.id }, 'a command could not be reconciled')
    plan(session, row)
  }
}

const EVERY_MS = 2_000

const SESSIONS_MAX = 1_000

const lately = () => perProcess('resumed sessions', () => boundedCache<true>(SESSIONS_MAX, EVERY_MS))

const reading = () => perProcess('resumed commands', () => boundedCache<Promise<readonly CommandRow[]>>(1, EVERY_MS))

/** After a restart the senders' tokens are unavailable, so any session that can read the effect resumes the watch. */
export async function resumeOpenCommands(session: Session): Promise<void> {
  if (lately().has(session.id)) return
  lately().set(session.id, true)
  for (const row of await unwatched()) {
    if (!watches().has(row.id) && (await canReconcile(session, row))) watchCommand(session, row)
  }
}

export async function resumeOpenCommandsFor(sessions: ReadonlySet<Session>): Promise<void> {
  if (sessions.size === 0 || (await unwatched()).length === 0) return
  await Promise.allSettled([...sessions].map(resumeOpenCommands))
}

async function unwatched(): Promise<readonly CommandRow[]> {
  const rows = reading().get('rows') ?? readOpen()
  reading().set('rows', rows, { noUpdateTTL: true })
  return (await rows).filter(({ id, kind }) => !watches().has(id) && kindNamed(kind) !== undefined)
}

async function readOpen(): Promise<readonly CommandRow[]> {
  const db = await store()
  const [open, looked] = await Promise.all([findOpen(db), findReconciledLater(db, new Date().toISOString())])
  return [...open, ...looked]
}
