import 'server-only'
import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely'
import { effectDigest, policyInputOf, readFlags } from '#lib/commands/policy/limits.ts'
import { config } from '#lib/config/config.ts'
import { bootId } from '#lib/config/per-process.ts'
import { PREPARED } from '#lib/database/open.ts'
import { appendEvent, countWritten, eventOfMoved, inJournal, nextSequence } from '#lib/journal/sequencer.ts'
import type { SignInMethod } from '#lib/session/session.ts'
import { databaseNow } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { currentTraceparent } from '#lib/telemetry/spans.ts'
import { type LockedCommand, locksReleased } from './locks.ts'
import type { CommandRow, CommandState, Note } from './row.ts'

export interface NewCommand {
  readonly id: string
  readonly kind: string
  readonly actor: string
  readonly actorName: string
  readonly target: string
  readonly params: string
  readonly facts: string
  /** JSON of a `ConfirmText`. */
  readonly confirmText?: string
  /** ISO 8601: when the facts were read. */
  readonly readAt?: string
  readonly batch?: string
  readonly method?: SignInMethod
}

export interface Move {
  readonly from: readonly CommandState[]
  readonly to: CommandState
  readonly outcome?: string
  readonly note?: Note
  /** Keeps `permanent` keys, because the read is not conclusive. */
  readonly keepLocks?: boolean
  /** {@link Tables.command.reconcile_until}; unchanged if absent. */
  readonly reconcileUntil?: string | null
  readonly late?: boolean
  readonly handled?: boolean
}

export const insertDraft = (db: Kysely<Tables>, command: NewCommand): Promise<CommandRow> =>
  inJournal(db, (trx) => insertDraftIn(trx, command))

export async function insertDraftIn(trx: Trx, command: NewCommand): Promise<CommandRow> {
  const now = new Date().toISOString()
  const [created_at = now] = [now, command.readAt ?? now].sort()
  const policy = config().policy.version
  const judged = policyInputOf(command)
  const confirm_text = command.confirmText ?? null
  const draft = {
    id: command.id,
    kind: command.kind,
    state: 'draft',
    actor: command.actor,
    actor_name: command.actorName,
    target: command.target,
    params: command.params,
    facts: command.facts,
    created_at,
    boot_id: bootId(),
    batch: command.batch ?? null,
    method: command.method ?? null,
    traceparent: currentTraceparent(),
    confirm_text,
    effect: effectDigest({ ...command, policy, confirm_text }),
    policy,
    ...judged,
  }
  return await insertWithEvent(trx, draft, now, {
    judged: { ...judged, marks: await readFlags(trx, command) },
    confirmText: jsonOrText(confirm_text ?? 'null'),
  })
}

/** The event has the given values, even if a database trigger alters the row. */
export async function insertWithEvent(
  trx: Trx,
  command: Insertable<Tables['command']> & Prepared,
  at: string,
  note: Readonly<Record<string, unknown>> = {},
): Promise<CommandRow> {
  const { sequence, ...row } = await trx
    .insertInto('command')
    .values(command)
    .returningAll()
    .returning(nextSequence.as('sequence'))
    .modifyEnd(PREPARED)
    .executeTakeFirstOrThrow()
  appendEvent(trx, { ...eventOf(command, at, note), sequence })
  return row
}

export const findCommand = (db: Kysely<Tables>, id: string): Promise<CommandRow | undefined> =>
  db.selectFrom('command').selectAll().where('id', '=', id).executeTakeFirst()

/** Compare-and-swap with its event. Null if the command was in no `from` state. */
export const moveCommand = (
  db: Kysely<Tables>,
  id: string,
  move: Move,
  also?: (trx: Trx) => Promise<void>,
): Promise<CommandRow | null> =>
  inJournal(db, async (trx) => {
    const moved = await moveIn(trx, id, move)
    if (moved !== null) await also?.(trx)
    return moved
  })

export const SETTLED: readonly CommandState[] = ['done', 'refused', 'applied', 'not_applied', 'closed']

const WITHOUT_EFFECT: readonly CommandState[] = ['refused', 'not_applied', 'closed']

/** `locked`: the row as {@link lockCommand} read it, which spares a statement. */
export async function moveIn(trx: Trx, id: string, move: Move, locked?: LockedCommand): Promise<CommandRow | null> {
  const now = new Date().toISOString()
  const update = trx
    .updateTable('command')
    .set({
      state: move.to,
      ...(move.outcome === undefined ? {} : { outcome: move.outcome }),
      ...(move.to === 'sent' ? { sent_at: now, boot_id: bootId(), trace_id: null, counted_at: databaseNow } : {}),
      ...(move.note?.traceId == null ? {} : { trace_id: move.note.traceId }),
      ...(SETTLED.includes(move.to) ? { settled_at: now } : {}),
      ...(move.reconcileUntil === undefined ? {} : { reconcile_until: move.reconcileUntil }),
      ...(move.late ? { late_at: now } : {}),
      ...(move.handled ? { handled_at: now } : {}),
    })
    .where('id', '=', id)
    .where('state', 'in', move.from)
    .returningAll()
    .returning((locked === undefined ? nextSequence : sql<number>`${locked.sequence}::bigint`).as('sequence'))
  const moved = move.from.some((state) => state !== move.to)
  const parts = [sql`WITH moved AS (${update})`]
  if (SETTLED.includes(move.to)) parts.push(locksReleased(WITHOUT_EFFECT.includes(move.to) && !move.keepLocks))
  const event = locked && {
    ...eventOf({ ...locked.row, state: move.to }, now, move.note),
    ...{ moved, sequence: locked.sequence },
  }
  if (event !== undefined) parts.push(eventOfMoved(event))
  const { rows } = await sql<
    CommandRow & { sequence: number }
  >`${sql.join(parts)} SELECT * FROM moved ${PREPARED}`.execute(trx)
  const [found] = rows
  if (found === undefined) return null
  const { sequence, ...row } = found
  if (event === undefined) appendEvent(trx, { ...eventOf(row, now, move.note), moved, sequence })
  else countWritten(trx, event)
  return row
}

/** Reads the row while it is locked, so the event's state fits its place among the command's events. */
export function appendNote(trx: Trx, id: string, note: Readonly<Record<string, unknown>>): void {
  const at = new Date().toISOString()
  appendEvent(trx, async (held) => {
    const rows = held.selectFrom('command').selectAll().where('id', '=', id)
    const row = await rows.forNoKeyUpdate().executeTakeFirstOrThrow()
    // A text that comes after an erasure can be erased too.
    if (row.erased_at !== null && note.erased === undefined)
      await held.updateTable('command').set({ erased_at: null }).where('id', '=', id).execute()
    return eventOf(row, at, note)
  })
}

/** Before records are removed and their commands noted: commands are locked before records. */
export async function lockCommandsOf(
  trx: Trx,
  records: 'case_claim' | 'case_snooze' | 'case_watch',
  removed: RawBuilder<boolean>,
): Promise<void> {
  await sql`
    SELECT 1 FROM command WHERE id IN (SELECT command_id FROM ${sql.table(records)} WHERE ${removed})
    ORDER BY id FOR NO KEY UPDATE`.execute(trx)
}

type Prepared = Pick<
  CommandRow,
  'id' | 'state' | 'actor' | 'kind' | 'target' | 'actor_name' | 'params' | 'facts' | 'effect'
>

const eventOf = (row: Prepared, at: string, note: Readonly<Record<string, unknown>> = {}) => ({
  commandId: row.id,
  moved: true,
  at,
  state: row.state,
  actor: row.actor,
  body: {
    kind: row.kind,
    target: row.target,
    actorName: row.actor_name,
    params: jsonOrText(row.params),
    facts: jsonOrText(row.facts),
    effect: row.effect,
    policy: config().policy.version,
    boot: bootId(),
    ...note,
  },
})

/** An altered row with invalid JSON must still get its final event. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A database trigger could make them differ. */
export const isSameChange = (known: Change, stored: Change): boolean =>
  (['kind', 'actor', 'target', 'params', 'facts', 'confirm_text', 'effect'] as const).every(
    (column) => known[column] === undefined || known[column] === stored[column],
  )

type Change = Pick<CommandRow, 'kind' | 'actor' | 'target' | 'params' | 'facts'> &
  Partial<Pick<CommandRow, 'effect' | 'confirm_text'>>
