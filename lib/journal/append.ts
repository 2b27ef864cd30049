import 'server-only'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { PREPARED } from '#lib/database/open.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { inTransaction } from '#lib/store/transaction.ts'
import { meters } from '#lib/telemetry/meters.ts'
import { macOf, newSalts, wellFormed } from './event.ts'

export interface NewEvent {
  /** Null for what no command did. */
  readonly commandId: string | null
  readonly at: string
  readonly state: string
  readonly actor: string
  /** Never contains a card number, code, password or token. */
  readonly body: Readonly<Record<string, unknown>>
  readonly moved: boolean
  /** Drawn by {@link nextSequence} while the command was locked. */
  readonly sequence?: number
}

/** In a statement that locks the command anyway, to spare one. */
export const nextSequence = sql<number>`nextval('command_event_sequence')`

type Sequenced = NewEvent & { readonly sequence: number }

type Pending = NewEvent | ((trx: Trx) => Promise<NewEvent>)

interface EventsOfTransaction {
  readonly pending: Pending[]
  readonly written: NewEvent[]
}

/** Per process, because kinds and the endpoint are in different bundles. */
const eventsByTransaction = () => perProcess('pending events', () => new WeakMap<Trx, EventsOfTransaction>())

function eventsOf(trx: Trx): EventsOfTransaction {
  const events = eventsByTransaction().get(trx)
  if (events === undefined) throw new Error('an event outside a transaction of the journal')
  return events
}

/** Lock order everywhere: `command_lock` by key, commands, then the console's records. */
export async function inJournal<Result>(db: Kysely<Tables>, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  const { result, written } = await inTransaction(db, async (trx) => {
    const { pending, written } = { pending: [], written: [] } as EventsOfTransaction
    eventsByTransaction().set(trx, { pending, written })
    const result = await work(trx)
    if (pending.length > 0) written.push(...(await writeEvents(trx, pending)))
    return { result, written }
  })
  count(written)
  return result
}

/** After the commit: a rollback or retry must not be counted. */
function count(events: readonly NewEvent[]): void {
  for (const event of events) {
    if (!event.moved) continue
    const [kind, denial] = [String(event.body.kind), String(event.body.denial)]
    meters().command(kind, event.state)
    if (isDenial(denial)) meters().denial(kind, denial)
  }
}

/** Writes at the end of the transaction, while the command is locked. Throws outside {@link inJournal}. */
export function appendEvent(trx: Trx, event: Pending): void {
  eventsOf(trx).pending.push(event)
}

/** For a statement with a CTE named `moved`: writes the event if that has a row. {@link countWritten} is called then. */
export function eventOfMoved(event: Sequenced): RawBuilder<unknown> {
  const { sequence, command_id, at, state, actor, body, salts, mac } = rowOf(event)
  return sql`
    event AS (INSERT INTO command_event (sequence, command_id, at, state, actor, body, salts, mac)
      SELECT ${sequence}::bigint, ${command_id}, ${at}, ${state}, ${actor}, ${body}, ${salts}, ${mac} FROM moved),
    waiting AS (INSERT INTO log_pending (sequence) SELECT ${sequence}::bigint FROM moved)`
}

/** Throws outside {@link inJournal}. */
export function countWritten(trx: Trx, event: NewEvent): void {
  eventsOf(trx).written.push(event)
}

async function writeEvents(trx: Trx, pending: readonly Pending[]): Promise<readonly NewEvent[]> {
  const events: NewEvent[] = []
  for (const event of pending) events.push(typeof event === 'function' ? await event(trx) : event)
  // While the commands are locked, so the events of one command are in order.
  await insertEvents(trx, events)
  return events
}

/** Of what no command did. Returns their sequence numbers. */
export const logEvents = (
  trx: Trx,
  events: readonly Omit<NewEvent, 'commandId' | 'moved'>[],
): Promise<readonly number[]> =>
  insertEvents(
    trx,
    events.map((event) => ({ ...event, commandId: null, moved: false })),
  )

/** The key never leaves this process. */
async function insertEvents(trx: Trx, events: readonly NewEvent[]): Promise<readonly number[]> {
  const drawn = events.flatMap(({ sequence }) => sequence ?? [])
  const inOrder = drawn.length === events.length && drawn.every((one, at) => at === 0 || one > (drawn[at - 1] ?? 0))
  const sequences = inOrder ? drawn : await drawSequences(trx, events.length)
  const rows = events.map((event, place) => rowOf({ ...event, sequence: sequences[place] ?? 0 }))
  await trx
    .with('written', (cte) => cte.insertInto('command_event').values(rows))
    .insertInto('log_pending')
    .values(rows.map(({ sequence }) => ({ sequence })))
    .$if(rows.length === 1, (insert) => insert.modifyEnd(PREPARED))
    .execute()
  return sequences
}

function rowOf({ sequence, commandId, body, at, state, actor }: Sequenced) {
  const text = JSON.stringify(body, wellFormed)
  const event = { sequence, command_id: commandId, at, state, actor, body: text, previous_mac: null }
  const written = { ...event, salts: newSalts(body) }
  return { ...written, mac: macOf(written, config().auditKey) }
}

async function drawSequences(trx: Trx, count: number): Promise<readonly number[]> {
  const { rows } = await sql<{ next: number }>`
    SELECT ${nextSequence} AS next FROM generate_series(1, ${count}::integer)`.execute(trx)
  return rows.map(({ next }) => next)
}

/** Names in the journal and the metrics. */
export const denials = ['limit', 'policy-changed', 'effect-differs', 'approval-missing', 'passkey-missing'] as const

export type Denial = (typeof denials)[number]

const isDenial = (name: string): name is Denial => denials.some((denial) => denial === name)
