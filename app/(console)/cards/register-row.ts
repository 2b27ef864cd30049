import type { IssuedCardRow } from '#lib/cards/issued-card-table.ts'

/** A card of the register as far as a line of its list goes. */
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

/** What the browser gets of a card: no more than is shown. */
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
