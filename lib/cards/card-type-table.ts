import 'server-only'
import type { Kysely, Selectable } from 'kysely'
import { log } from '#lib/config/log.ts'
import type { Card } from '#lib/contract/cards.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { CARD_TYPE_DIGITS_MAX } from './card.ts'

type CardTypeOfCard = Pick<Card, 'cardType' | 'cardTypeName'>

/**
 * The service offers no list of card types (interface.md, "Card"), so the console collects those of the cards it reads.
 */
export async function insertCardType(db: Kysely<Tables>, { cardType, cardTypeName }: CardTypeOfCard): Promise<void> {
  // Service text: a character that the store cannot hold must not lose the card.
  const name = visibleText(cardTypeName)
  if (name === '' || Math.abs(cardType) >= 10 ** CARD_TYPE_DIGITS_MAX) return
  await db
    .insertInto('card_type_seen')
    .values({ card_type: cardType, name })
    .onConflict((conflict) => conflict.column('card_type').doUpdateSet({ name }))
    .execute()
}

/** Does not wait and does not throw. */
export function noteCardType(card: CardTypeOfCard): void {
  const write = async () => insertCardType(await store(), card)
  write().catch(() => log().warn({ event: 'card-types' }, 'the type of a card that was read could not be noted'))
}

/** By number, with the latest name. */
export const findCardTypes = (db: Kysely<Tables>): Promise<Selectable<Tables['card_type_seen']>[]> =>
  db.selectFrom('card_type_seen').selectAll().orderBy('card_type').execute()
