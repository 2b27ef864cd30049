import 'server-only'
import type { Insertable, Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import { bootId } from '#lib/config/per-process.ts'
import type { SignInMethod } from '#lib/session/session.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { databaseNow } from '#lib/store/transaction.ts'
import { currentTraceparent } from '#lib/telemetry/spans.ts'
import { appendEvent, inJournal } from './journal/append.ts'
import { giveBackLocks } from './locks.ts'
import { effectDigest, judgedBy, readMarks } from './policy/rules.ts'
import type { CommandRow, CommandState, LockHolder, Note } from './row.ts'

export interface NewCommand {
  readonly id: string
  readonly kind: string
  readonly actor: string
  readonly actorName: string
  readonly target: string
  readonly params: string
  readonly facts: string
  /** ISO 8601: when the facts were read. */
  readonly lookedAt?: string
  readonly batch?: string
  readonly method?: SignInMethod
}

export interface Move {
  readonly from: readonly CommandState[]
  readonly to: CommandState
  readonly outcome?: string
  readonly note?: Note
  /** Keeps `forEver` keys, because the read is not conclusive. */
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
  const policy = config().policy.version
  const judged = judgedBy(command)
  const draft = {
    id: command.id,
    kind: command.kind,
    state: 'draft',
    actor: command.actor,
    actor_name: command.actorName,
    target: command.target,
    params: command.params,
    facts: command.facts,
    created_at: command.lookedAt ?? now,
    boot_id: bootId(),
    batch: command.batch ?? null,
    method: command.method ?? null,
    traceparent: currentTraceparent(),
    effect: effectDigest({ ...command, policy }),
    policy,
    ...judged,
  }
  return await insertWithEvent(trx, draft, now, { judged: { ...judged, marks: await readMarks(trx, command) } })
}

/** The event has the given values, even if a database trigger alters the row. */
export async function insertWithEvent(
  trx: Trx,
  command: Insertable<Tables['command']> & Prepared,
  at: string,
  note: Readonly<Record<string, unknown>> = {},
): Promise<CommandRow> {
  appendEvent(trx, eventOf(command, at, note))
  return await trx.insertInto('command').values(command).returningAll().executeTakeFirstOrThrow()
}

export function findCommand(db: Kysely<Tables>, id: string): Promise<CommandRow | undefined> {
  return db.selectFrom('command').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Compare-and-swap with its event. Null if the command was in no `from` state. */
export function moveCommand(
  db: Kysely<Tables>,
  id: string,
  move: Move,
  also?: (trx: Trx) => Promise<void>,
): Promise<CommandRow | null> {
  return inJournal(db, async (trx) => {
    const moved = await moveIn(trx, id, move)
    if (moved !== null) await also?.(trx)
    return moved
  })
}

export async function holderOf(db: Kysely<Tables>, key: string): Promise<LockHolder | null> {
  const holder = await db
    .selectFrom('command_lock')
    .innerJoin('command', 'command.id', 'command_lock.command_id')
    .select([
      'command_lock.key',
      'command.id as commandId',
      'command.actor',
      'command.actor_name as actorName',
      'command.method',
      'command.target',
      'command.sent_at as sentAt',
      'command.state',
      'command.kind',
    ])
    .where('command_lock.key', '=', key)
    .executeTakeFirst()
  return holder ?? null
}

const SETTLED: readonly CommandState[] = ['done', 'refused', 'applied', 'not_applied', 'closed']

const WITHOUT_EFFECT: readonly CommandState[] = ['refused', 'not_applied', 'closed']

export async function moveIn(trx: Trx, id: string, move: Move): Promise<CommandRow | null> {
  const now = new Date().toISOString()
  const row = await trx
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
    .executeTakeFirst()
  if (row === undefined) return null
  appendEvent(trx, { ...eventOf(row, now, move.note), moved: move.from.some((state) => state !== move.to) })
  await freeLocks(trx, id, move)
  return row
}

/** Reads the row while the chain is locked, so the event's state fits its place in the chain. */
export function noteOn(trx: Trx, id: string, note: Readonly<Record<string, unknown>>): void {
  const at = new Date().toISOString()
  appendEvent(trx, async (held) =>
    eventOf(await held.selectFrom('command').selectAll().where('id', '=', id).executeTakeFirstOrThrow(), at, note),
  )
}

/** Frees the keys, except `forEver` keys of a command that may have had an effect. */
async function freeLocks(trx: Trx, id: string, { to, keepLocks = false }: Move): Promise<void> {
  if (!SETTLED.includes(to)) return
  const withoutEffect = WITHOUT_EFFECT.includes(to) && !keepLocks
  if (withoutEffect) await giveBackLocks(trx, id)
  const held = trx.deleteFrom('command_lock').where('command_id', '=', id)
  await (withoutEffect ? held : held.where('for_ever', '=', false)).execute()
}

type Prepared = Pick<
  CommandRow,
  'id' | 'state' | 'actor' | 'kind' | 'target' | 'actor_name' | 'params' | 'facts' | 'effect'
>

function eventOf(row: Prepared, at: string, note: Readonly<Record<string, unknown>> = {}) {
  return {
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
  }
}

/** An altered row with invalid JSON must still get its final event. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
