import 'server-only'
import { type Kysely, sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { perProcess } from '#lib/config/per-process.ts'
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

type Pending = NewEvent | ((trx: Trx) => Promise<NewEvent>)

/** Per process, because kinds and the endpoint are in different bundles. */
const pendingEvents = () => perProcess('pending events', () => new WeakMap<Trx, Pending[]>())

/** Lock order everywhere: `command_lock` by key, commands, then the console's records. */
export async function inJournal<Result>(db: Kysely<Tables>, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  const { result, events } = await inTransaction(db, async (trx) => {
    const events: Pending[] = []
    pendingEvents().set(trx, events)
    const result = await work(trx)
    if (events.length > 0) await writeEvents(trx, events)
    return { result, events }
  })
  count(events)
  return result
}

/** After the commit: a rollback or retry must not be counted. */
function count(events: readonly Pending[]): void {
  for (const event of events) {
    if (typeof event === 'function' || !event.moved) continue
    const [kind, denial] = [String(event.body.kind), String(event.body.denial)]
    meters().command(kind, event.state)
    if (isDenial(denial)) meters().denial(kind, denial)
  }
}

/** Writes at the end of the transaction, while the command is locked. Throws outside {@link inJournal}. */
export function appendEvent(trx: Trx, event: Pending): void {
  const events = pendingEvents().get(trx)
  if (events === undefined) throw new Error('an event outside a transaction of the journal')
  events.push(event)
}

async function writeEvents(trx: Trx, pending: readonly Pending[]): Promise<void> {
  const events: NewEvent[] = []
  for (const event of pending) events.push(typeof event === 'function' ? await event(trx) : event)
  // While the commands are locked, so the events of one command are in order.
  await insertEvents(trx, events)
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
  const rows = events.map(({ commandId, body, at, state, actor }, place) => {
    const sequence = sequences[place] ?? 0
    const event = {
      sequence,
      command_id: commandId,
      at,
      state,
      actor,
      body: JSON.stringify(body, wellFormed),
      previous_mac: null,
    }
    const written = { ...event, salts: newSalts(body) }
    return { ...written, mac: macOf(written, config().auditKey) }
  })
  await trx
    .with('written', (cte) => cte.insertInto('command_event').values(rows))
    .insertInto('log_pending')
    .values(rows.map(({ sequence }) => ({ sequence })))
    .execute()
  return sequences
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
