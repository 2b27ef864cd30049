import 'server-only'
import { perProcess } from '#lib/config/per-process.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { Outcome } from './command.ts'
import type { Reconciliation } from './command-kind.ts'
import { type CommandRow, findCommand, type Move, moveCommand } from './command-table.ts'
import { reopen } from './late-effect.ts'
import { LOOKS_END_SECONDS } from './reconcile-schedule.ts'
import { kindNamed } from './registry.ts'
import { factsOf, kindOf, paramsOf, reconciledAs, writeSettlement } from './view.ts'

export interface Reconciled {
  /** As it is afterwards. */
  readonly command: CommandRow
  /** This session cannot read any more. */
  readonly sessionOver: boolean
  /** What was read, or why it could not be; null where the service lets nobody read it. */
  readonly look: Reconciliation | Problem | null
}

/** After this long without an effect the person is told so. It proves nothing: looking goes on. */
const NO_EFFECT_AFTER_MS = 120_000

/**
 * Settles an open command by reading the service, never by sending again. All who ask at once share one read. */
export async function reconcileCommand(session: Session, row: CommandRow): Promise<Reconciled> {
  const looks = perProcess('looks', () => new Map<string, Promise<Reconciled>>())
  const running = looks.get(row.id)
  if (running !== undefined) return await running
  const look = settle(session, row).finally(() => looks.delete(row.id))
  looks.set(row.id, look)
  return await look
}

async function settle(session: Session, row: CommandRow): Promise<Reconciled> {
  const kind = kindNamed(row.kind)
  if (kind === undefined || kind.reconcile === null) return { command: row, sessionOver: false, look: null }
  const sent = { facts: factsOf(row), actorUserId: userIdOf(row.actor), sentAt: sentAtOf(row) }
  const look = await kind.reconcile(session, paramsOf(row), sent)
  if (!('settled' in look)) return { command: row, sessionOver: look.kind === 'session-over', look }
  return { command: await conclude(row, look), sessionOver: false, look }
}

async function conclude(row: CommandRow, look: Reconciliation): Promise<CommandRow> {
  if (row.state === 'not_applied') {
    return reconciledAs(row) === 'not_applied' && 'description' in look && look.settled
      ? await reopen(row, look.description)
      : row
  }
  if (!look.settled) return await ifNothingShows(row, look)
  if ('description' in look)
    return await moveTo(row, { to: 'applied', outcome: { class: 'done', ...look.description } })
  // What is held for ever stays: only a person frees it.
  return await moveTo(row, { to: 'not_applied', outcome: look.without, keepLocks: true })
}

async function ifNothingShows(row: CommandRow, look: Extract<Reconciliation, { settled: false }>): Promise<CommandRow> {
  const waited = Date.now() - Date.parse(sentAtOf(row))
  if (row.state !== 'unknown' || !look.showsNoEffect || waited < NO_EFFECT_AFTER_MS) return await noteLook(row, look)
  return await moveTo(row, {
    to: 'not_applied',
    outcome: {
      class: 'no-effect',
      title: 'No effect shows after two minutes',
      advice: `${look.shows} It may be confirmed anew. The console looks on for 24 hours, and says so on Home if an effect shows after all.`,
    },
    keepLocks: true,
    reconcileUntil: reconcileUntil(row),
  })
}

/** Keeps what an open command looks like by now, when that is news. */
async function noteLook(
  row: CommandRow,
  { shows, description }: Extract<Reconciliation, { settled: false }>,
): Promise<CommandRow> {
  const before = row.outcome === null ? null : (JSON.parse(row.outcome) as Outcome)
  if (row.state === 'accepted' && description !== undefined) {
    const outcome: Outcome = { class: 'accepted', ...description }
    return JSON.stringify(outcome) === row.outcome
      ? row
      : await moveTo(row, { to: 'accepted', outcome, note: { shows } })
  }
  if (row.state !== 'unknown' || before?.class !== 'unknown' || before.shows === shows) return row
  return await moveTo(row, { to: 'unknown', outcome: { ...before, shows }, note: { shows } })
}

const sentAtOf = (row: CommandRow): string => row.sent_at ?? row.created_at

/** An effect that shows until then reopens the command; nobody but the person themselves can look at their own factor. */
export const reconcileUntil = (row: CommandRow): string | null =>
  kindOf(row).reconcile === null || kindOf(row).reconcileScope === 'own'
    ? null
    : new Date(Date.parse(sentAtOf(row)) + LOOKS_END_SECONDS * 1000).toISOString()

/** The service's user id of who acted; null for one of an older version, which named some by their e-mail address. */
const userIdOf = (actor: string): string | null => (actor.startsWith('sso:') ? actor.slice('sso:'.length) : null)

interface Found extends Pick<Move, 'to' | 'keepLocks' | 'reconcileUntil' | 'note'> {
  readonly outcome: Outcome
}

async function moveTo(row: CommandRow, { outcome, note, ...move }: Found): Promise<CommandRow> {
  const db = await store()
  const from = move.to === 'applied' || move.to === 'not_applied' ? (['unknown', 'accepted'] as const) : [move.to]
  const settled = await moveCommand(
    db,
    row.id,
    { ...move, from, outcome: JSON.stringify(outcome), note: { answer: 'read', ...note } },
    async (trx) => {
      if (move.to === 'applied') await writeSettlement(trx, row, null)
    },
  )
  return settled ?? (await findCommand(db, row.id)) ?? row
}
