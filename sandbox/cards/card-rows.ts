import type { Selectable, Updateable } from 'kysely'
import { uuid } from '#lib/contract/endpoint.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import type { WriteFailure } from '#sandbox/http/write-or-fail.ts'
import type { Db, Tables, Trx } from '#sandbox/world/tables.ts'

export type CardRow = Selectable<Tables['card']>
export type CardChange = Updateable<Tables['card']>

/** Does not show whether the card exists or is another holder's. */
const cardNotFound = (): Refusal => new Refusal(404, 'core::tessera::not_found', 'No such card.')

export const stateRefused = (title: string): Refusal => new Refusal(409, 'core::tessera::request::invalid', title)

export const writeFailure: WriteFailure = {
  code: 'core::tessera::update::fail',
  title: 'The card could not be written. Nothing changed.',
}

/** Null for any holder. */
function selectCard(db: Db, cardId: string, holderId: string | null) {
  const query = db
    .selectFrom('card')
    .selectAll()
    .where('id', '=', uuid.safeParse(cardId).success ? cardId.toLowerCase() : '')
  return holderId === null ? query : query.where('user_id', '=', holderId)
}

export const findCard = (db: Db, cardId: string, holderId: string): Promise<CardRow> =>
  selectCard(db, cardId, holderId).executeTakeFirstOrThrow(cardNotFound)

/** Locks the card until the end of the transaction. */
export const lockedCard = (trx: Trx, cardId: string, holderId: string | null): Promise<CardRow> =>
  selectCard(trx, cardId, holderId).forUpdate().executeTakeFirstOrThrow(cardNotFound)

/** The card must be locked. */
export const updateCard = (trx: Trx, card: CardRow, change: CardChange): Promise<CardRow> =>
  trx.updateTable('card').set(change).where('id', '=', card.id).returningAll().executeTakeFirstOrThrow()
