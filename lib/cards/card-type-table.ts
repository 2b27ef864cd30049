import 'server-only'
import type { Kysely, Selectable } from 'kysely'
import { log } from '#lib/config/log.ts'
import type { Card } from '#lib/contract/cards.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { visibleText } from '#lib/values/visible-text.ts'
import { CARD_TYPE_DIGITS_MAX } from './card.ts'

type CardTypeOfCard = Pick<Card, 'cardType' | 'cardTypeName'>

/** The service lists no card types (interface.md, "Card"), so the console collects those of the cards it reads. */
export async function insertCardType(db: Kysely<Tables>, { cardType, cardTypeName }: CardTypeOfCard): Promise<void> {
  // The store cannot hold every character of a service text, and the card must not be lost for one.
  const name = visibleText(cardTypeName)
  if (name === '' || Math.abs(cardType) >= 10 ** CARD_TYPE_DIGITS_MAX) return
  await db
    .insertInto('card_type_seen')
    .values({ card_type: cardType, name })
    .onConflict((conflict) => conflict.column('card_type').doUpdateSet({ name }))
    .execute()
}

/** Never waits or throws. */
export function cacheCardType(card: CardTypeOfCard): void {
  const write = async () => insertCardType(await store(), card)
  write().catch(() => log().warn({ event: 'card-types' }, 'the type of a card that was read could not be noted'))
}

export const findCardTypes = (db: Kysely<Tables>): Promise<Selectable<Tables['card_type_seen']>[]> =>
  db.selectFrom('card_type_seen').selectAll().orderBy('card_type').execute()
