import 'server-only'
import {
  type ExpressionBuilder,
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely'
import { type Refusal, refusedFrom } from '#lib/authorization/judge.ts'
import { ERASED } from '#lib/commands/row.ts'
import { findCommand } from '#lib/commands/store.ts'
import { actorWords } from '#lib/commands/view.ts'
import { log } from '#lib/config/log.ts'
import type { CardFacts } from '#lib/contract/cards.ts'
import type { Session } from '#lib/session/session.ts'
import { countRows, partPattern, store } from '#lib/store/store.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { visibleText } from '#lib/values/text.ts'
import { CARD_TYPE_DIGITS_MAX } from './card.ts'
import type { CardSearch } from './card-search.ts'

export type IssuedCardRow = Selectable<Tables['issued_card']>

/** Ids are stored as the service wrote them and compared without case. */
const lowerId = sql<string>`lower(id)`
const lowerUserId = sql<string>`lower(user_id)`

export async function insertIssuedCard(trx: Trx, card: Insertable<Tables['issued_card']>): Promise<void> {
  await trx
    .insertInto('issued_card')
    .values(card)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Empty if it was erased. */
export const printedNameOf = ({ printed_name }: Pick<IssuedCardRow, 'printed_name'>): string =>
  printed_name === ERASED ? '' : printed_name

/** A later block does not overwrite the first. */
export async function markBlocked(
  trx: Trx,
  id: string,
  block: { readonly at: string; readonly by: string; readonly reason: string },
): Promise<void> {
  await trx
    .updateTable('issued_card')
    .set({ blocked_at: block.at, blocked_by: block.by, block_reason: block.reason })
    .where(lowerId, '=', id.toLowerCase())
    .where('blocked_at', 'is', null)
    .execute()
}

export async function eraseOfCard(
  trx: Trx,
  erased: Pick<Updateable<Tables['issued_card']>, 'printed_name' | 'block_reason'>,
  which: RawBuilder<unknown>,
): Promise<void> {
  await trx.updateTable('issued_card').set(erased).where(sql<boolean>`${which}`).execute()
}

export const findIssuedCard = (db: Kysely<Tables>, id: string): Promise<IssuedCardRow | undefined> =>
  db.selectFrom('issued_card').selectAll().where(lowerId, '=', id.toLowerCase()).executeTakeFirst()

export const findCardOfCommand = (db: Kysely<Tables>, commandId: string): Promise<IssuedCardRow | undefined> =>
  db.selectFrom('issued_card').selectAll().where('command_id', '=', commandId).executeTakeFirst()

/** As far as this console knows; newest first. */
export const findUnblockedOf = (db: Kysely<Tables>, userId: string): Promise<IssuedCardRow[]> =>
  db
    .selectFrom('issued_card')
    .selectAll()
    .where(lowerUserId, '=', userId.toLowerCase())
    .where('blocked_at', 'is', null)
    .orderBy('recorded_at', 'desc')
    .execute()

export const countOthersOfHolder = (db: Kysely<Tables>, { id, user_id }: IssuedCardRow): Promise<number> =>
  countRows(db.selectFrom('issued_card').where(lowerUserId, '=', user_id.toLowerCase()).where('id', '<>', id))

export type ChangeByActor = Pick<
  Selectable<Tables['command']>,
  'id' | 'kind' | 'target' | 'actor' | 'actor_name' | 'method'
>

export function changesByActor(
  db: Kysely<Tables>,
  actor: string,
  cards: readonly IssuedCardRow[],
): Promise<ChangeByActor[]> {
  const issues = cards.map(({ command_id }) => command_id)
  const targets = cards.flatMap(({ id }) => [id, id.toLowerCase(), id.toUpperCase()])
  return db
    .selectFrom('command')
    .select(['id', 'kind', 'target', 'actor', 'actor_name', 'method'])
    .where('actor', '=', actor)
    .where(({ or, and, eb }) =>
      or([
        eb('id', 'in', issues),
        and([
          eb('target', 'in', targets),
          eb('kind', 'in', ['card.register', 'card.block']),
          eb('state', 'in', ['done', 'applied']),
        ]),
      ]),
    )
    .execute()
}

export function issuedBy(db: Kysely<Tables>, issuer: string, userIds: readonly string[]): Promise<number> {
  const holders = userIds.map((id) => id.toLowerCase())
  return countRows(db.selectFrom('issued_card').where('issuer', '=', issuer).where(lowerUserId, 'in', holders))
}

/** Ids and last digits must match whole, words in part. */
function matches(row: ExpressionBuilder<Tables, 'issued_card'>, search: Exclude<CardSearch, { by: 'nothing' }>) {
  switch (search.by) {
    case 'id':
      return row.or([row(lowerId, '=', search.id.toLowerCase()), row(lowerUserId, '=', search.id.toLowerCase())])
    case 'last-four':
      return row.or([row('last4', '=', search.last4)])
    case 'words': {
      const pattern = partPattern(search.words)
      const printed = row.and([row('printed_name', 'ilike', pattern), row('printed_name', '<>', ERASED)])
      const named = [printed, row('card_type_name', 'ilike', pattern)]
      return row.or(/^\d{1,9}$/.test(search.words) ? [...named, row('card_type', '=', Number(search.words))] : named)
    }
  }
}

export async function listIssuedCards(
  db: Kysely<Tables>,
  search: CardSearch,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly cards: IssuedCardRow[]; readonly total: number }> {
  const all = db.selectFrom('issued_card')
  const matching = search.by === 'nothing' ? all : all.where((row) => matches(row, search))
  const [cards, total] = await Promise.all([
    matching
      .selectAll()
      .orderBy('recorded_at', 'desc')
      .orderBy('id')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    countRows(matching),
  ])
  return { cards, total }
}

type CardTypeOfCard = Pick<CardFacts, 'cardType' | 'cardTypeName'>

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
  write().catch(() => log().warn({ event: 'card-types' }, 'the type of a card could not be saved'))
}

export const findCardTypes = (db: Kysely<Tables>): Promise<Selectable<Tables['card_type_seen']>[]> =>
  db.selectFrom('card_type_seen').selectAll().orderBy('card_type').execute()

export const registerRefusal = (session: Session): Promise<Refusal | null> => refusedFrom(session, 'register.read')

export async function readOnRegister(session: Session, cardId: string): Promise<IssuedCardRow | Refusal | null> {
  const refusal = await registerRefusal(session)
  if (refusal !== null) return refusal
  const card = await findIssuedCard(await store(), cardId)
  return card === undefined ? null : ((await asReadBy(session, [card]))[0] ?? null)
}

export const moreOfHolder = async (card: IssuedCardRow): Promise<number> => countOthersOfHolder(await store(), card)

/** Null for people who may not see the register, because the types reveal its content. */
export const visibleCardTypes = async (session: Session): Promise<Awaited<ReturnType<typeof findCardTypes>> | null> =>
  (await registerRefusal(session)) === null ? await findCardTypes(await store()) : null

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
  const { cards, total } = await listIssuedCards(await store(), search, page)
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

/** Null unless this person made the issue. */
export async function typedForIssue(
  { actor }: Session,
  commandId: string,
): Promise<{ readonly userId: string; readonly cardType: string; readonly printedName: string } | null> {
  const row = await findCommand(await store(), commandId)
  const isTyped = row?.kind === 'card.issue' && row.actor === actor && row.erased_at === null
  return isTyped ? JSON.parse(row.params) : null
}
