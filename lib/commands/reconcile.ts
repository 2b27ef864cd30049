import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { AcceptedAnswer, AcceptedOutcome, Outcome } from './command.ts'
import type { Reconciliation } from './command-kind.ts'
import { type CommandRow, findCommand, type Move, moveCommand } from './command-table.ts'
import { inCommandTrace } from './command-trace.ts'
import { reopen } from './late-effect.ts'
import { RECONCILE_END_SECONDS } from './reconcile-schedule.ts'
import { kindNamed } from './registry.ts'
import { factsOf, kindOf, locksOf, paramsOf, parseOutcome, reconciledAs, userIdOf, writeSettlement } from './view.ts'

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
  const reconcile = kindNamed(row.kind)?.reconcile ?? null
  if (reconcile === null) return null
  const outcome = row.outcome === null ? null : parseOutcome(row.outcome)
  const answer = outcome?.class === 'accepted' ? outcome.answer : null
  const sent = { facts: factsOf(row), actorUserId: userIdOf(row.actor), sentAt: sentAtOf(row), answer }
  return await reconcile(session, paramsOf(row), sent)
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
  // Only a person frees a `forEver` key.
  const handled = !locksOf(row).some(({ forEver }) => forEver)
  return await moveTo(row, { to: 'not_applied', outcome: found.without, keepLocks: true, handled })
}

async function ifNothingShows(
  row: CommandRow,
  found: Extract<Reconciliation, { settled: false }>,
): Promise<CommandRow> {
  const waited = Date.now() - Date.parse(sentAtOf(row))
  if (row.state !== 'unknown' || !found.showsNoEffect || waited < NO_EFFECT_AFTER_MS)
    return await recordFound(row, found)
  return await moveTo(row, {
    to: 'not_applied',
    outcome: {
      class: 'no-effect',
      title: 'No effect shows after two minutes',
      advice: `${found.shows} It can be done again. It needs attention until it is, or until somebody frees its lock or dismisses it. The console checks for 24 hours whether it took effect after all.`,
    },
    keepLocks: true,
    reconcileUntil: reconcileUntil(row),
  })
}

async function recordFound(row: CommandRow, found: Extract<Reconciliation, { settled: false }>): Promise<CommandRow> {
  const { shows } = found
  const before = row.outcome === null ? null : parseOutcome(row.outcome)
  if (row.state === 'accepted' && before?.class === 'accepted') {
    const outcome = acceptedAfter(found, before.answer)
    return JSON.stringify(outcome) === row.outcome
      ? row
      : await moveTo(row, { to: 'accepted', outcome, note: { shows } })
  }
  if (row.state !== 'unknown' || before?.class !== 'unknown' || before.shows === shows) return row
  return await moveTo(row, { to: 'unknown', outcome: { ...before, shows }, note: { shows } })
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
export const reconcileUntil = (row: CommandRow): string | null =>
  kindOf(row).reconcile === null || kindOf(row).reconcileScope === 'own'
    ? null
    : new Date(Date.parse(sentAtOf(row)) + RECONCILE_END_SECONDS * 1000).toISOString()

interface Found extends Pick<Move, 'to' | 'keepLocks' | 'reconcileUntil' | 'handled' | 'note'> {
  readonly outcome: Outcome
}

async function moveTo(row: CommandRow, { outcome, note, ...move }: Found): Promise<CommandRow> {
  const db = await store()
  const from = move.to === 'applied' || move.to === 'not_applied' ? (['unknown', 'accepted'] as const) : [move.to]
  const whole = { ...move, from, outcome: JSON.stringify(outcome), note: { answer: 'read', ...note } }
  const settled = await inCommandTrace({ ...row, state: move.to }, 'settle', () =>
    moveCommand(db, row.id, whole, async (trx) => {
      if (move.to === 'applied') await writeSettlement(trx, row, null)
    }),
  )
  return settled ?? (await findCommand(db, row.id)) ?? row
}
