import 'server-only'
import { type Refusal, refusedFrom } from '#lib/authorization/judge.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { cardTypesSeen, findIssuedCard, type IssuedCardRow, listIssuedCards } from './issued-card-table.ts'

/** Why a person does not see the register of issued cards; null when they see all of it. */
export const registerRefusal = (session: Session): Promise<Refusal | null> => refusedFrom(session, 'register.read')

/** What the register knows of a card; null where it is not for this person. */
export async function findVisibleCard(session: Session, cardId: string): Promise<IssuedCardRow | null> {
  if ((await registerRefusal(session)) !== null) return null
  return (await findIssuedCard(await store(), cardId)) ?? null
}

/** The types and names of cards that were issued here, for people who see the register. */
export async function visibleCardTypes(session: Session): ReturnType<typeof cardTypesSeen> {
  return (await registerRefusal(session)) === null ? await cardTypesSeen(await store()) : []
}

export interface RegisterPage {
  readonly cards: readonly IssuedCardRow[]
  /** On all pages. */
  readonly total: number
}

/** One page of the register, newest first. `find`: a whole id, or last four digits. */
export async function readRegister(
  session: Session,
  find: string,
  page: { readonly page: number; readonly size: number },
): Promise<RegisterPage | Refusal> {
  return (await registerRefusal(session)) ?? (await listIssuedCards(await store(), { issuer: null, find }, page))
}
