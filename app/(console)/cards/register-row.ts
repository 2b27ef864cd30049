import type { IssuedCardRow } from '#lib/cards/issued-cards.ts'

export interface RegisterRow {
  readonly id: string
  readonly last4: string
  readonly userId: string
  readonly printedName: string
  readonly cardType: string
  readonly recordedAt: string
  readonly issuerName: string
  readonly came: 'issued' | 'registered'
  readonly blockedAt: string | null
}

/** Sent to the browser, so it holds only what the table shows. */
export const registerRow = (card: IssuedCardRow): RegisterRow => ({
  id: card.id,
  last4: card.last4,
  userId: card.user_id,
  printedName: card.printed_name,
  cardType: `${card.card_type} ${card.card_type_name}`.trim(),
  recordedAt: card.recorded_at,
  issuerName: card.issuer_name,
  came: card.came,
  blockedAt: card.blocked_at,
})
