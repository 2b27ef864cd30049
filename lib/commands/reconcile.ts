import 'server-only'
import { refusalProblem, refusedWithoutScopes } from '#lib/authorization/judge.ts'
import { log, outsideWork } from '#lib/config/log.ts'
import { boundedCache, isFirstOf, perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { canReconcile, canView } from './access.ts'
import type { AcceptedAnswer, AcceptedOutcome, CommandReply, Outcome } from './command.ts'
import { type Description, kindNamed, type Reconciliation } from './kind.ts'
import { retakeKeys } from './locks.ts'
import { withChangedFacts } from './prepare.ts'
import { findLater, findOpen, findReconciledLater } from './queries.ts'
import { nextReconcileSeconds, RECONCILE_END_SECONDS, watches } from './reconcile-schedule.ts'
import { type CommandRow, factsOf, type Note, paramsOf, userIdOf } from './row.ts'
import { findCommand, type Move, moveCommand } from './store.ts'
import { inCommandTrace } from './trace.ts'
import {
  locksOf,
  notFound,
  parseOutcome,
  readsEffect,
  reconciledAs,
  shareKeys,
  wholeViewFor,
  writeSettlement,
} from './view.ts'

export interface Reconciled {
  readonly command: CommandRow
  readonly sessionOver: boolean
  /** An error if the read failed; null if the service has no read. */
  readonly found: Reconciliation | Problem | null
}

/** After this the person sees “no effect”. It is no proof, so reading continues. */
const NO_EFFECT_AFTER_MS = 120_000

/** Never sends again. Simultaneous callers share one read. */
export async function reconcileCommand(session: Session, row: CommandRow): Promise<Reconciled> {
  const all = perProcess('reconciliations', () => new Map<string, Promise<Reconciled>>())
  const running = all.get(row.id)
  if (running !== undefined) return await running
  const reconciliation = inCommandTrace(row, 'reconcile', () => settle(session, row)).finally(() => all.delete(row.id))
  all.set(row.id, reconciliation)
  return await reconciliation
}

async function settle(session: Session, row: CommandRow): Promise<Reconciled> {
  const found = await readEffect(session, row)
  if (found === null) return { command: row, sessionOver: false, found }
  if (!('settled' in found)) return { command: row, sessionOver: found.kind === 'session-over', found }
  return { command: await conclude(row, found), sessionOver: false, found }
}

/** Changes nothing. Null if the service has no read. */
export async function readEffect(session: Session, row: CommandRow): Promise<Reconciliation | Problem | null> {
  const kind = kindNamed(row.kind)
  if (!readsEffect(kind)) return null
  const outcome = row.outcome === null ? null : parseOutcome(row.outcome)
  const answer = outcome?.class === 'accepted' ? outcome.answer : null
  const sent = { facts: factsOf(row), actorUserId: userIdOf(row.actor), sentAt: sentAtOf(row), answer }
  return await kind.reconcile(session, paramsOf(row), sent)
}

async function conclude(row: CommandRow, found: Reconciliation): Promise<CommandRow> {
  if (row.state === 'not_applied') {
    return reconciledAs(row) === 'not_applied' && 'description' in found && found.settled
      ? await reopen(row, found.description)
      : row
  }
  if (!found.settled) return await ifNothingShows(row, found)
  if ('description' in found)
    return await moveTo(row, { to: 'applied', outcome: { class: 'done', ...found.description } })
  // Only a person frees a `permanent` key.
  const handled = !locksOf(row).some(({ permanent }) => permanent)
  return await moveTo(row, { to: 'not_applied', outcome: found.notApplied, keepLocks: true, handled })
}

async function ifNothingShows(
  row: CommandRow,
  found: Extract<Reconciliation, { settled: false }>,
): Promise<CommandRow> {
  const waited = Date.now() - Date.parse(sentAtOf(row))
  if (row.state !== 'unknown' || !found.showsNoEffect || waited < NO_EFFECT_AFTER_MS)
    return await recordFound(row, found)
  const until = reconcileUntil(row)
  return await moveTo(row, {
    from: ['unknown'],
    to: 'not_applied',
    outcome: {
      class: 'no-effect',
      title: 'No effect found after two minutes',
      advice: `${found.shows} It needs attention until it is done again${locksOf(row).some(({ permanent }) => permanent) ? ', freed' : ''} or dismissed. ${laterChecks(until)}`,
    },
    keepLocks: true,
    reconcileUntil: until,
  })
}

const laterChecks = (until: string | null): string =>
  until === null || Date.parse(until) <= Date.now()
    ? 'The console does not check again.'
    : 'The console checks for a late effect until 24 hours after sending.'

async function recordFound(row: CommandRow, found: Extract<Reconciliation, { settled: false }>): Promise<CommandRow> {
  const { shows } = found
  const before = row.outcome === null ? null : parseOutcome(row.outcome)
  if (row.state === 'accepted' && before?.class === 'accepted') {
    const outcome = acceptedAfter(found, before.answer)
    return JSON.stringify(outcome) === row.outcome
      ? row
      : await moveTo(row, { from: ['accepted'], to: 'accepted', outcome, note: { shows } })
  }
  if (row.state !== 'unknown' || before?.class !== 'unknown' || before.shows === shows) return row
  return await moveTo(row, { from: ['unknown'], to: 'unknown', outcome: { ...before, shows }, note: { shows } })
}

const acceptedAfter = (
  { shows, isUnderWay = false, description }: Extract<Reconciliation, { settled: false }>,
  answer: AcceptedAnswer,
): AcceptedOutcome => ({
  class: 'accepted',
  answer,
  shows,
  isUnderWay,
  lines: description?.lines ?? [],
  steps: description?.steps ?? [],
})

const sentAtOf = (row: CommandRow): string => row.sent_at ?? row.created_at

/** Null for kinds whose effect only the author can read. */
export function reconcileUntil(row: CommandRow): string | null {
  const kind = kindNamed(row.kind)
  if (!readsEffect(kind) || kind.reconcileScope === 'own') return null
  return new Date(Date.parse(sentAtOf(row)) + RECONCILE_END_SECONDS * 1000).toISOString()
}

interface Found extends Pick<Move, 'to' | 'keepLocks' | 'reconcileUntil' | 'handled' | 'note'> {
  readonly from?: Move['from']
  readonly outcome: Outcome
}

async function moveTo(row: CommandRow, { from = ['unknown', 'accepted'], outcome, note, ...move }: Found) {
  const db = await store()
  const whole = { ...move, from, outcome: JSON.stringify(outcome), note: { answer: 'read', ...note } }
  const settled = await inCommandTrace({ ...row, state: move.to }, 'settle', () =>
    moveCommand(db, row.id, whole, async (trx) => {
      if (move.to === 'applied') await writeSettlement(trx, row, null)
    }),
  )
  return settled ?? (await findCommand(db, row.id)) ?? row
}

/** Logs an alarm. `proof`: the service's own answer. Else a later command may have caused the effect. */
export async function reopen(
  row: CommandRow,
  description: Description,
  proof?: { readonly data: unknown; readonly note: Note },
): Promise<CommandRow> {
  const db = await store()
  if (proof === undefined && (await laterDuplicates(row)).length > 0) return row
  const keys = locksOf(row).flatMap(({ key, permanent }) => (permanent ? [key] : []))
  const outcome: Outcome = { class: 'done', late: true, ...description }
  let lost: readonly string[] = []
  const reopened = await moveCommand(
    db,
    row.id,
    {
      from: ['not_applied'],
      to: 'applied',
      outcome: JSON.stringify(outcome),
      note: { ...(proof?.note ?? { answer: 'read' }), late: 'the effect was found late' },
      reconcileUntil: null,
      late: true,
    },
    async (trx) => {
      lost = await retakeKeys(trx, row.id, keys)
      await writeSettlement(trx, row, proof?.data ?? null)
    },
  )
  if (reopened === null) return (await findCommand(db, row.id)) ?? row
  const alarm = { event: 'late-effect', id: row.id, kind: row.kind, keysHeldByOthers: lost.length }
  log().error(alarm, 'a change took effect after no effect was found')
  return reopened
}

/** Excludes commands that share no key, such as another message in the same case. */
export const laterDuplicates = async (row: CommandRow): Promise<CommandRow[]> =>
  (await findLater(await store(), row)).filter((other) => shareKeys(row, other))

const WATCHES_MAX = 10_000

/** Reads with this session's access until the command is settled or the schedule ends. */
export function watchCommand(session: Session, row: CommandRow): void {
  if (isWatchedFor(session, row) || watches().size >= WATCHES_MAX) return
  plan(session, row)
}

function isWatchedFor(session: Session, { id }: CommandRow): boolean {
  const watch = watches().get(id)
  return watch !== undefined && (watch.refusedTo ?? session.id) === session.id
}

function plan(session: Session, row: CommandRow, refusedTo: string | null = null): void {
  watches().delete(row.id)
  const as = reconciledAs(row)
  if (as === null || !readsEffect(kindNamed(row.kind))) return
  const sentAt = Date.parse(row.sent_at ?? row.created_at)
  const next = nextReconcileSeconds(as, (Date.now() - sentAt) / 1000)
  if (next === null) return
  const at = sentAt + next * 1000
  const watch = { nextReconcileAt: at, refusedTo }
  watches().set(row.id, watch)
  const reconcileDue = () => {
    if (watches().get(row.id) === watch) void reconcileAgain(session, row)
  }
  outsideWork(() => setTimeout(reconcileDue, Math.max(0, at - Date.now())).unref())
}

async function reconcileAgain(session: Session, row: CommandRow): Promise<void> {
  try {
    const { command, sessionOver, found } = await reconcileCommand(session, row)
    const isRefused = found !== null && 'kind' in found && (found.status === 403 || found.status === 404)
    if (sessionOver) watches().delete(row.id)
    else plan(session, command, isRefused ? session.id : null)
  } catch {
    log().warn({ event: 'watch', id: row.id }, 'a command could not be reconciled')
    plan(session, row)
  }
}

const EVERY_MS = 2_000

const reading = () => perProcess('resumed commands', () => boundedCache<Promise<readonly CommandRow[]>>(1, EVERY_MS))

/** After a restart the senders' tokens are unavailable, so any session that can read the effect resumes the watch. */
export async function resumeOpenCommands(session: Session): Promise<void> {
  if (!isFirstOf('resumed sessions', session.id, EVERY_MS)) return
  for (const row of await unwatched()) {
    if (!isWatchedFor(session, row) && (await canReconcile(session, row))) watchCommand(session, row)
  }
}

export async function resumeOpenCommandsFor(sessions: ReadonlySet<Session>): Promise<void> {
  if (sessions.size === 0 || (await unwatched()).length === 0) return
  await Promise.allSettled([...sessions].map(resumeOpenCommands))
}

async function unwatched(): Promise<readonly CommandRow[]> {
  const rows = reading().get('rows') ?? readOpen()
  reading().set('rows', rows, { noUpdateTTL: true })
  return (await rows).filter(({ id, kind }) => watches().get(id)?.refusedTo !== null && kindNamed(kind) !== undefined)
}

async function readOpen(): Promise<readonly CommandRow[]> {
  const db = await store()
  const [open, looked] = await Promise.all([findOpen(db), findReconciledLater(db, new Date().toISOString())])
  return [...open, ...looked]
}

/** With `now`, or after the schedule has ended, reads the service first. */
export async function readCommand(session: Session, id: string, now: boolean): Promise<CommandReply> {
  const row = await findCommand(await store(), id)
  // The same answer without a row: it must not reveal one.
  const unread = row?.actor === session.actor ? null : await refusedWithoutScopes(session)
  if (unread !== null) return { ok: false, problem: refusalProblem(unread) }
  if (row === undefined || !(await canView(session, row))) return notFound
  const known = await reconcileIfOpen(session, row, now)
  return { ok: true, command: await withChangedFacts(session, known, await wholeViewFor(session, known)) }
}

async function reconcileIfOpen(session: Session, row: CommandRow, now: boolean): Promise<CommandRow> {
  if (reconciledAs(row) === null || !(await canReconcile(session, row))) return row
  watchCommand(session, row)
  if (watches().has(row.id) && !now) return row
  return (await reconcileCommand(session, row)).command
}
