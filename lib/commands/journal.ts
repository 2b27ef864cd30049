import 'server-only'
import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import { inTransaction } from '#lib/store/in-transaction.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'

/** One change of a command's state, as it goes into the record. */
export interface NewEvent {
  readonly commandId: string
  readonly at: string
  readonly state: string
  readonly actor: string
  /** Never a card number, code, password or token. */
  readonly body: Readonly<Record<string, unknown>>
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

/**
 * A transaction that may write to the journal. The order of locks, everywhere: first the chain's end, here; then
 * `command_lock` by key, commands, and the console's own records. A transaction that holds the chain waits for none that wants it,
 * so no two of these ever wait for each other.
 */
export function inJournal<Result>(db: Kysely<Tables>, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  return inTransaction(db, async (trx) => {
    await lockChain(trx)
    return await work(trx)
  })
}

const lockChain = (trx: Trx) =>
  trx.selectFrom('command_chain').select(['sequence', 'mac']).where('one', '=', 1).forUpdate().executeTakeFirstOrThrow()

/**
 * Appends an event to the chain, in the transaction that makes the change it tells of, which {@link inJournal} began. The
 * chain's end is locked until that transaction ends, so events of all processes stand in one order.
 */
export async function appendEvent(trx: Trx, event: NewEvent): Promise<void> {
  const end = await lockChain(trx)
  const row: ChainedEvent = {
    sequence: end.sequence + 1,
    command_id: event.commandId,
    at: event.at,
    state: event.state,
    actor: event.actor,
    body: JSON.stringify(event.body),
    previous_mac: end.mac,
  }
  const mac = macOf(row, config().auditKey)
  await trx
    .insertInto('command_event')
    .values({ ...row, mac })
    .execute()
  await trx.updateTable('command_chain').set({ sequence: row.sequence, mac }).where('one', '=', 1).execute()
}
