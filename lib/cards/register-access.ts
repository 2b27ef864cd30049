import 'server-only'
import { type Refusal, refusedFrom } from '#lib/authorization/judge.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { CardSearch } from './card-search.ts'
import { findCardTypes } from './card-type-table.ts'
import { countOthersOfHolder, findIssuedCard, type IssuedCardRow, listIssuedCards } from './issued-card-table.ts'

/** Why a person does not see the register of issued cards; null when they see all of it. */
export const registerRefusal = (session: Session): Promise<Refusal | null> => refusedFrom(session, 'register.read')

/** What the register knows of a card; null when the card is not on it, the refusal when that is not for this person. */
export async function readOnRegister(session: Session, cardId: string): Promise<IssuedCardRow | Refusal | null> {
  return (await registerRefusal(session)) ?? (await findIssuedCard(await store(), cardId)) ?? null
}

/** How many other cards of its holder the register has, for who was given the card. */
export const moreOfHolder = async (card: IssuedCardRow): Promise<number> => countOthersOfHolder(await store(), card)

/** The card types that this console has read; null for who does not see the register, which tells as much. */
export async function visibleCardTypes(session: Session): Promise<Awaited<ReturnType<typeof findCardTypes>> | null> {
  return (await registerRefusal(session)) === null ? await findCardTypes(await store()) : null
}

export interface RegisterPage {
  readonly cards: readonly IssuedCardRow[]
  /** On all pages. */
  readonly total: number
}

/** One page of the register, newest first. */
export async function readRegister(
  session: Session,
  search: CardSearch,
  page: { readonly page: number; readonly size: number },
): Promise<RegisterPage | Refusal> {
  return (await registerRefusal(session)) ?? (await listIssuedCards(await store(), { issuer: null, search }, page))
}
