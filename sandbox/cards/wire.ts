import { JsonNumber } from '#lib/contract/json.ts'
import type { CardRow } from './card-rows.ts'
import { cardTypeName } from './products.ts'

const capNumber = (text: string | null): JsonNumber | null => (text === null ? null : new JsonNumber(text))

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

/** Only for the holder who reads the card and for the answer that issues it. */
export const cardBodyWithNumber = (card: CardRow) => ({ ...cardBody(card), cardNumber: card.card_number })
