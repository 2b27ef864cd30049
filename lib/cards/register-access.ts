import 'server-only'
import { type Refusal, refusedFrom } from '#lib/authorization/judge.ts'
import { actorWords } from '#lib/commands/view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import type { CardSearch } from './card-search.ts'
import { findCardTypes } from './card-type-table.ts'
import {
  type ChangeByActor,
  changesByActor,
  countOthersOfHolder,
  findIssuedCard,
  type IssuedCardRow,
  listIssuedCards,
} from './issued-card-table.ts'

export const registerRefusal = (session: Session): Promise<Refusal | null> => refusedFrom(session, 'register.read')

export async function readOnRegister(session: Session, cardId: string): Promise<IssuedCardRow | Refusal | null> {
  const refusal = await registerRefusal(session)
  if (refusal !== null) return refusal
  const card = await findIssuedCard(await store(), cardId)
  return card === undefined ? null : ((await asReadBy(session, [card]))[0] ?? null)
}

export const moreOfHolder = async (card: IssuedCardRow): Promise<number> => countOthersOfHolder(await store(), card)

/** Null for people who may not see the register, because the types reveal its content. */
export async function visibleCardTypes(session: Session): Promise<Awaited<ReturnType<typeof findCardTypes>> | null> {
  return (await registerRefusal(session)) === null ? await findCardTypes(await store()) : null
}

export interface RegisterPage {
  readonly cards: readonly IssuedCardRow[]
  readonly total: number
}

export async function readRegister(
  session: Session,
  search: CardSearch,
  page: { readonly page: number; readonly size: number },
): Promise<RegisterPage | Refusal> {
  const refusal = await registerRefusal(session)
  if (refusal !== null) return refusal
  const { cards, total } = await listIssuedCards(await store(), { issuer: null, search }, page)
  return { cards: await asReadBy(session, cards), total }
}

/** Shows the person's own earlier acts under their present name. */
async function asReadBy(session: Session, cards: readonly IssuedCardRow[]): Promise<readonly IssuedCardRow[]> {
  if (cards.length === 0) return cards
  const mine = await changesByActor(await store(), session.actor, cards)
  const nameIn = (name: string, change: ChangeByActor | undefined): string =>
    change?.actor_name === name ? actorWords(session, change) : name
  return cards.map((card) => {
    const about = (kind: string) =>
      mine.find((change) => change.kind === kind && change.target.toLowerCase() === card.id.toLowerCase())
    const issue = mine.find(({ id }) => id === card.command_id)
    return {
      ...card,
      issuer_name: nameIn(card.issuer_name, issue),
      recorded_by: nameIn(card.recorded_by, card.came === 'issued' ? issue : about('card.register')),
      blocked_by: card.blocked_by === null ? null : nameIn(card.blocked_by, about('card.block')),
    }
  })
}
