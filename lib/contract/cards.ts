import { z } from 'zod'
import { endpoint, integer, moneyNumber, orNull, rows, textOrEmpty, timestamp, uuid } from './endpoint.ts'
import { PRINTED_NAME_MAX_CHARS } from './states.ts'

/** BZD, as the literal of the JSON number; null means no cap. */
const cap = orNull(moneyNumber)

export const card = z.object({
  id: uuid,
  userId: uuid,
  /** Null except for holders who read their own card. Never logged, cached or stored. */
  cardNumber: orNull(z.string()),
  /** Four digits even if the service sends more. */
  last4: z.string().overwrite((digits) => digits.slice(-4)),
  cardType: integer,
  cardTypeName: z.string(),
  printedName: z.string(),
  /** A response may have other values. */
  status: z.string(),
  /** A frozen card is still ACTIVE. */
  frozen: z.boolean(),
  issuedAt: orNull(timestamp),
  activatedAt: orNull(timestamp),
  frozenAt: orNull(timestamp),
  perTxnCap: cap,
  dailyCap: cap,
  lifetimeCap: cap,
})

export const cardFacts = card.omit({ cardNumber: true, perTxnCap: true, dailyCap: true, lifetimeCap: true })

export type CardFacts = z.output<typeof cardFacts>

/** The interface does not name the field of the full number. */
const NUMBER_FIELDS = ['cardNumber', 'fullCardNumber', 'fullNumber', 'number', 'pan']

function isNumberOf(text: unknown, last4: unknown): boolean {
  const digits = typeof text === 'string' ? text.replace(/[\s\p{Pd}]/gu, '') : ''
  return /^\d{12,19}$/.test(digits) && digits.endsWith(String(last4).slice(-4))
}

function withNumber(data: unknown): unknown {
  const whole = Object(data)
  const found = whole.last4 === undefined ? Object(whole.card) : whole
  const stated = [found, whole].flatMap((fields) => NUMBER_FIELDS.map((field) => fields[field]))
  const isMasked = typeof found.cardNumber === 'string' && /[*•]/.test(found.cardNumber)
  const cardNumber = stated.find((text) => isNumberOf(text, found.last4)) ?? (isMasked ? null : found.cardNumber)
  return { ...found, cardNumber }
}

export const issueAnswer = z.preprocess(withNumber, card.omit({ frozen: true }).extend({ cardTypeName: textOrEmpty }))

export type IssueAnswer = z.output<typeof issueAnswer>

const notShown = z.unknown()

export const cards = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/cards',
    scope: 'core:cards:read',
    data: z.object({ cards: rows(card) }),
  }),
  read: endpoint({ method: 'GET', path: '/api/v1/cards/{cardId}', scope: 'core:cards:read', data: card }),
  issue: endpoint({
    method: 'POST',
    path: '/api/v1/cards',
    scope: 'core:cards:create',
    body: z.strictObject({
      userId: z.string(),
      cardType: integer,
      printedName: z.string().max(PRINTED_NAME_MAX_CHARS),
    }),
    /** The only answer with the full number. */
    data: card,
  }),
  activate: endpoint({
    method: 'POST',
    path: '/api/v1/cards/{cardId}/activate',
    scope: 'core:cards:activate',
    /** The service accepts spaces and dashes. */
    body: z.strictObject({ cardNumber: z.string() }),
    data: notShown,
  }),
  freeze: endpoint({
    method: 'POST',
    path: '/api/v1/cards/{cardId}/freeze',
    scope: 'core:cards:freeze',
    data: notShown,
  }),
  unfreeze: endpoint({
    method: 'POST',
    path: '/api/v1/cards/{cardId}/unfreeze',
    scope: 'core:cards:freeze',
    stepUp: 'always',
    data: notShown,
  }),
  limits: endpoint({
    method: 'PUT',
    path: '/api/v1/cards/{cardId}/limits',
    scope: 'core:cards:limits',
    stepUp: 'when-loosening',
    /** Replaces all three; an absent cap is removed. */
    body: z.strictObject({ perTxnCap: cap, dailyCap: cap, lifetimeCap: cap }),
    data: notShown,
  }),
  block: endpoint({ method: 'POST', path: '/api/v1/cards/{cardId}/block', scope: 'core:cards:manage', data: notShown }),
} as const
