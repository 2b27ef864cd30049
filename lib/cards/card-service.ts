import 'server-only'
import type { Card } from '#lib/contract/cards.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { JsonNumber } from '#lib/contract/json.ts'
import { onlyAbout, type Result } from '#lib/service/answer.ts'
import { read, type Sent, send } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { cacheCardType } from './issued-cards.ts'

/** Omits the card number and unknown fields. */
export type CardFacts = Pick<
  Card,
  | 'id'
  | 'userId'
  | 'last4'
  | 'cardType'
  | 'cardTypeName'
  | 'printedName'
  | 'status'
  | 'frozen'
  | 'issuedAt'
  | 'activatedAt'
  | 'frozenAt'
>

/** `GET cards/{cardId}`: the caller's own card only. The answer has the full number, which is dropped here. */
export async function readCard(session: Session, cardId: string): Promise<Result<CardFacts>> {
  const result = onlyAbout(cardId, await read(session, endpoints.cards.read, { cardId }))
  if (!result.ok) return result
  cacheCardType(result.value)
  const { id, userId, last4, cardType, cardTypeName, printedName, status, frozen } = result.value
  const { issuedAt, activatedAt, frozenAt } = result.value
  return {
    ...result,
    value: { id, userId, last4, cardType, cardTypeName, printedName, status, frozen, issuedAt, activatedAt, frozenAt },
  }
}

/** The card number is lost if this answer is. */
const ISSUE_TIMEOUT_MS = 60_000

/** `POST cards`. `cardType`: an integer as typed. Only this answer has the full card number. */
export const issueCard = (
  session: Session,
  card: { readonly userId: string; readonly cardType: string; readonly printedName: string },
): Promise<Sent<Card>> =>
  send(session, endpoints.cards.issue, {}, { ...card, cardType: new JsonNumber(card.cardType) }, ISSUE_TIMEOUT_MS)

/** `POST cards/{cardId}/block`: permanent. */
export const blockCard = (session: Session, cardId: string): Promise<Sent<unknown>> =>
  send(session, endpoints.cards.block, { cardId }, undefined)
