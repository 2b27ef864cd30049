import { z } from 'zod'
import { PRINTED_NAME_MAX_CHARS } from './card-states.ts'
import { endpoint } from './endpoint.ts'
import { integer, moneyNumber, orNull, rows, timestamp, uuid } from './wire.ts'

/** A cap in BZD as the literal of its JSON number; null means no cap. */
const cap = orNull(moneyNumber)

export const card = z.object({
  id: uuid,
  userId: uuid,
  /** A payment credential: null but to the holder reading their own card. Never logged, cached or stored. */
  cardNumber: orNull(z.string()),
  last4: z.string(),
  cardType: integer,
  cardTypeName: z.string(),
  printedName: z.string(),
  /** `UNISSUED`, `ACTIVE` or `BLOCKED`; a response may carry others. */
  status: z.string(),
  /** Separate from the status: a frozen card is still ACTIVE but cannot spend. */
  frozen: z.boolean(),
  issuedAt: orNull(timestamp),
  activatedAt: orNull(timestamp),
  frozenAt: orNull(timestamp),
  perTxnCap: cap,
  dailyCap: cap,
  lifetimeCap: cap,
})

export type Card = z.output<typeof card>

/** The interface does not show what stands in these answers. */
const notShown = z.unknown()

export const cards = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/cards',
    bearer: true,
    scope: 'core:cards:read',
    stepUp: 'never',
    data: z.object({ cards: rows(card) }),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/v1/cards/{cardId}',
    bearer: true,
    scope: 'core:cards:read',
    stepUp: 'never',
    data: card,
  }),
  issue: endpoint({
    method: 'POST',
    path: '/api/v1/cards',
    bearer: true,
    scope: 'core:cards:create',
    stepUp: 'never',
    body: z.strictObject({
      userId: z.string(),
      cardType: integer,
      printedName: z.string().max(PRINTED_NAME_MAX_CHARS),
    }),
    /** The one answer that carries the full number. Without it the card is issued all the same. */
    data: card,
  }),
  activate: endpoint({
    method: 'POST',
    path: '/api/v1/cards/{cardId}/activate',
    bearer: true,
    scope: 'core:cards:activate',
    stepUp: 'never',
    /** Spacing and dashes are tolerated. */
    body: z.strictObject({ cardNumber: z.string() }),
    data: notShown,
  }),
  freeze: endpoint({
    method: 'POST',
    path: '/api/v1/cards/{cardId}/freeze',
    bearer: true,
    scope: 'core:cards:freeze',
    stepUp: 'never',
    data: notShown,
  }),
  unfreeze: endpoint({
    method: 'POST',
    path: '/api/v1/cards/{cardId}/unfreeze',
    bearer: true,
    scope: 'core:cards:freeze',
    stepUp: 'always',
    data: notShown,
  }),
  limits: endpoint({
    method: 'PUT',
    path: '/api/v1/cards/{cardId}/limits',
    bearer: true,
    scope: 'core:cards:limits',
    stepUp: 'when-loosening',
    /** Replaces all three; one that is left out is null, and removes that cap. */
    body: z.strictObject({ perTxnCap: cap, dailyCap: cap, lifetimeCap: cap }),
    data: notShown,
  }),
  block: endpoint({
    method: 'POST',
    path: '/api/v1/cards/{cardId}/block',
    bearer: true,
    scope: 'core:cards:manage',
    stepUp: 'never',
    data: notShown,
  }),
} as const
