import 'server-only'
import { may, readAccess } from '#lib/core-api/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import { findIssuedCard, type IssuedCardRow, listIssuedCards } from '#lib/store/issued-cards.ts'
import { store } from '#lib/store/store.ts'

/** `own`: the cards that the person issued. */
export type RegisterSight = 'all' | 'own' | 'none'

/**
 * How much of the register of issued cards a person sees. The service lets nobody but a holder read a card, and it cannot
 * guard what stands here, so only scopes that are known to be there open all of it: those of issuing and of blocking.
 * After password sign-in none is known.
 */
export async function registerSight(session: Session): Promise<RegisterSight> {
  const access = await readAccess(session)
  if (access.scopes === null) return 'own'
  return may(access, 'core:cards:create') || may(access, 'core:cards:manage') ? 'all' : 'none'
}

export const seesCard = (sight: RegisterSight, session: Session, card: Pick<IssuedCardRow, 'issuer'>): boolean =>
  sight === 'all' || (sight === 'own' && card.issuer === session.actor)

/** What the register knows of a card, as far as the person may see it. */
export async function findVisibleCard(session: Session, cardId: string): Promise<IssuedCardRow | null> {
  const [sight, card] = await Promise.all([registerSight(session), findIssuedCard(await store(), cardId)])
  return card !== undefined && seesCard(sight, session, card) ? card : null
}

export interface RegisterPage {
  readonly sight: RegisterSight
  readonly cards: readonly IssuedCardRow[]
  /** On all pages. */
  readonly total: number
}

/** One page of the register, newest first, as far as the person may see it. `find`: a whole id, or last four digits. */
export async function readRegister(
  session: Session,
  find: string,
  page: { readonly page: number; readonly size: number },
): Promise<RegisterPage> {
  const sight = await registerSight(session)
  if (sight === 'none') return { sight, cards: [], total: 0 }
  const issuer = sight === 'all' ? null : session.actor
  return { sight, ...(await listIssuedCards(await store(), { issuer, find }, page)) }
}
