import 'server-only'
import type { Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import { perProcess } from '#lib/config/per-process.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { inTransaction } from '#lib/store/transaction.ts'
import { meters } from '#lib/telemetry/meters.ts'
import { type ChainedEvent, macOf } from './chain.ts'

export interface NewEvent {
  readonly commandId: string
  readonly at: string
  readonly state: string
  readonly actor: string
  /** Never contains a card number, code, password or token. */
  readonly body: Readonly<Record<string, unknown>>
  readonly moved: boolean
}

type Pending = NewEvent | ((trx: Trx) => Promise<NewEvent>)

/** Per process, because kinds and the endpoint are in different bundles. */
const pendingEvents = () => perProcess('pending events', () => new WeakMap<Trx, Pending[]>())

/**
 * Lock order everywhere: `command_lock` by key, commands, the console's records, then the chain's end, here. All
 * processes wait for the chain, so it is locked for two statements only.
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

/** After the commit: a rollback or retry must not be counted. */
function count(events: readonly Pending[]): void {
  for (const event of events) {
    if (typeof event === 'function' || !event.moved) continue
    const [kind, denial] = [String(event.body.kind), String(event.body.denial)]
    meters().command(kind, event.state)
    if (isDenial(denial)) meters().denial(kind, denial)
  }
}

/** Writes at the end of the transaction. Throws outside {@link inJournal}. */
export function appendEvent(trx: Trx, event: Pending): void {
  const events = pendingEvents().get(trx)
  if (events === undefined) throw new Error('an event outside a transaction of the journal')
  events.push(event)
}

/** The lock gives the events of all processes one order. The key never leaves this process. */
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

/** Names in the journal and the metrics. */
export const denials = ['limit', 'policy-changed', 'effect-differs', 'approval-missing', 'passkey-missing'] as const

export type Denial = (typeof denials)[number]

const isDenial = (name: string): name is Denial => denials.some((denial) => denial === name)
