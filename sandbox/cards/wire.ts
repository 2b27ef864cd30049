import { JsonNumber } from '#lib/contract/json.ts'
import type { CardRow } from './card-rows.ts'
import { cardTypeName } from './products.ts'

/** Decimal text of a column as the JSON number that it is, to the last place. */
const capNumber = (text: string | null): JsonNumber | null => (text === null ? null : new JsonNumber(text))

/** A card as the interface writes it, without its number. */
export const cardBody = (card: CardRow) => ({
  id: card.id,
  userId: card.user_id,
  cardNumber: null,
  last4: card.card_number.slice(-4),
  cardType: card.card_type,
  cardTypeName: cardTypeName(card.card_type),
  printedName: card.printed_name,
  status: card.status,
  frozen: card.frozen,
  issuedAt: card.issued_at,
  activatedAt: card.activated_at,
  frozenAt: card.frozen_at,
  perTxnCap: capNumber(card.per_txn_cap),
  dailyCap: capNumber(card.daily_cap),
  lifetimeCap: capNumber(card.lifetime_cap),
})

/** With its number: for the holder who reads that one card, and for the answer that issues it. Nobody else. */
export const cardBodyWithNumber = (card: CardRow) => ({ ...cardBody(card), cardNumber: card.card_number })
