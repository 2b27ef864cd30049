import 'server-only'
import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { inTransaction } from '#lib/store/in-transaction.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { meters } from '#lib/telemetry/meters.ts'
import { isDenial } from './policy/denials.ts'

/** One change of a command's state, as it goes into the record. */
export interface NewEvent {
  readonly commandId: string
  readonly at: string
  readonly state: string
  readonly actor: string
  /** Never a card number, code, password or token. */
  readonly body: Readonly<Record<string, unknown>>
  /** The command was in another state before. */
  readonly moved: boolean
}

/** What an event's MAC covers: everything in its row, and the event before it. */
export interface ChainedEvent {
  readonly sequence: number
  readonly command_id: string
  readonly at: string
  readonly state: string
  readonly actor: string
  readonly body: string
  readonly previous_mac: string
}

/** HMAC-SHA256 over an event and the MAC before it, in hexadecimal. */
export function macOf(event: ChainedEvent, key: Buffer): string {
  const { sequence, command_id, at, state, actor, body, previous_mac } = event
  const covered = JSON.stringify([sequence, command_id, at, state, actor, body, previous_mac])
  return createHmac('sha256', key).update(covered).digest('hex')
}

/** An event, or how it is made once the chain is held. */
type Pending = NewEvent | ((trx: Trx) => Promise<NewEvent>)

/** The events of transactions that are under way. Kinds of change are of another bundle than the endpoint that runs them. */
const pendingEvents = () => perProcess('pending events', () => new WeakMap<Trx, Pending[]>())

/**
 * A transaction that may write to the journal. The order of locks, everywhere: `command_lock` by key, commands, the console's
 * own records, and last of all the chain's end, here. A transaction that holds the chain waits for nothing but its commit, so
 * all processes together wait for one another for two statements each.
 */
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

/** After the commit: what was rolled back, or done once more, counts once. */
function count(events: readonly Pending[]): void {
  for (const event of events) {
    if (typeof event === 'function' || !event.moved) continue
    const [kind, denial] = [String(event.body.kind), String(event.body.denial)]
    meters().command(kind, event.state)
    if (isDenial(denial)) meters().denial(kind, denial)
  }
}

/** Appends an event to the chain, with the change that it tells of, at the end of the transaction that {@link inJournal} began. */
export function appendEvent(trx: Trx, event: Pending): void {
  const events = pendingEvents().get(trx)
  if (events === undefined) throw new Error('an event outside a transaction of the journal')
  events.push(event)
}

/** The chain's end is locked until the commit, so events of all processes stand in one order. The key never leaves this process. */
async function writeEvents(trx: Trx, events: readonly Pending[]): Promise<void> {
  let end = await lockChain(trx)
  const rows: (ChainedEvent & { readonly mac: string })[] = []
  for (const pending of events) {
    const { commandId, body, at, state, actor } = typeof pending === 'function' ? await pending(trx) : pending
    const place = { sequence: end.sequence + 1, previous_mac: end.mac }
    const row = { ...place, command_id: commandId, at, state, actor, body: JSON.stringify(body) }
    end = { sequence: row.sequence, mac: macOf(row, config().auditKey) }
    rows.push({ ...row, mac: end.mac })
  }
  await trx
    .with('written', (cte) => cte.insertInto('command_event').values(rows))
    .updateTable('command_chain')
    .set(end)
    .where('one', '=', 1)
    .execute()
}

const lockChain = (trx: Trx) =>
  trx.selectFrom('command_chain').select(['sequence', 'mac']).where('one', '=', 1).forUpdate().executeTakeFirstOrThrow()
