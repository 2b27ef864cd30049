import 'server-only'
import { type CardFacts, cardFacts, type IssueAnswer, issueAnswer } from '#lib/contract/cards.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { JsonNumber } from '#lib/contract/json.ts'
import { onlyAbout, type Result, read, type Sent, send } from '#lib/service/client.ts'
import type { Session } from '#lib/session/session.ts'
import { cacheCardType } from './issued-cards.ts'

/** `GET cards/{cardId}`: the caller's own card only. The answer has the full number, which is dropped here. */
export async function readCard(session: Session, cardId: string): Promise<Result<CardFacts>> {
  const result = onlyAbout(cardId, await read(session, { ...endpoints.cards.read, data: cardFacts }, { cardId }))
  if (result.ok) cacheCardType(result.value)
  return result
}

/** The card number is lost if this answer is. */
const ISSUE_TIMEOUT_MS = 60_000

/** `POST cards`. `cardType`: an integer as typed. Only this answer has the full card number. */
export const issueCard = (
  session: Session,
  card: { readonly userId: string; readonly cardType: string; readonly printedName: string },
): Promise<Sent<IssueAnswer>> => {
  const body = { ...card, cardType: new JsonNumber(card.cardType) }
  return send(session, { ...endpoints.cards.issue, data: issueAnswer }, {}, body, ISSUE_TIMEOUT_MS)
}

/** `POST cards/{cardId}/block`: permanent. */
export const blockCard = (session: Session, cardId: string): Promise<Sent<unknown>> =>
  send(session, endpoints.cards.block, { cardId }, undefined)
