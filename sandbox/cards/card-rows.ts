import type { Selectable, Updateable } from 'kysely'
import { uuid } from '#lib/contract/wire.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import type { WriteFailure } from '#sandbox/http/write-or-fail.ts'
import type { Db, Tables, Trx } from '#sandbox/world/tables.ts'

export type CardRow = Selectable<Tables['card']>
export type CardChange = Updateable<Tables['card']>

/** The same for an unknown card and for somebody else's, so that it tells neither from the other. */
export const cardNotFound = (): Refusal => new Refusal(404, 'core::tessera::not_found', 'No such card.')

/** The card's state does not allow the change. */
export const stateRefused = (title: string): Refusal => new Refusal(409, 'core::tessera::request::invalid', title)

export const writeFailure: WriteFailure = {
  code: 'core::tessera::update::fail',
  title: 'The card could not be written. Nothing changed.',
}

/** One holder's card, or with null any holder's. What is not a UUID names no card, and is not asked for. */
function selectCard(db: Db, cardId: string, holderId: string | null) {
  const query = db
    .selectFrom('card')
    .selectAll()
    .where('id', '=', uuid.safeParse(cardId).success ? cardId : '')
  return holderId === null ? query : query.where('user_id', '=', holderId)
}

export function findCard(db: Db, cardId: string, holderId: string): Promise<CardRow | undefined> {
  return selectCard(db, cardId, holderId).executeTakeFirst()
}

/** The card under a lock to the end of the transaction: whoever has it may judge its state and caps, and write. */
export function lockedCard(trx: Trx, cardId: string, holderId: string | null): Promise<CardRow | undefined> {
  return selectCard(trx, cardId, holderId).forUpdate().executeTakeFirst()
}

/** Writes a change of a card that is locked. */
export function updateCard(trx: Trx, card: CardRow, change: CardChange): Promise<CardRow> {
  return trx.updateTable('card').set(change).where('id', '=', card.id).returningAll().executeTakeFirstOrThrow()
}
