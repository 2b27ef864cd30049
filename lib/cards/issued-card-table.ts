import 'server-only'
import {
  type ExpressionBuilder,
  type ExpressionWrapper,
  type Insertable,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely'
import type { Tables, Trx } from '#lib/store/tables.ts'
import { partPattern } from '#lib/store/transaction.ts'
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

export function findIssuedCard(db: Kysely<Tables>, id: string): Promise<IssuedCardRow | undefined> {
  return db.selectFrom('issued_card').selectAll().where(lowerId, '=', id.toLowerCase()).executeTakeFirst()
}

export function findCardOfCommand(db: Kysely<Tables>, commandId: string): Promise<IssuedCardRow | undefined> {
  return db.selectFrom('issued_card').selectAll().where('command_id', '=', commandId).executeTakeFirst()
}

/** As far as this console knows; newest first. */
export function findUnblockedOf(db: Kysely<Tables>, userId: string): Promise<IssuedCardRow[]> {
  return db
    .selectFrom('issued_card')
    .selectAll()
    .where(lowerUserId, '=', userId.toLowerCase())
    .where('blocked_at', 'is', null)
    .orderBy('recorded_at', 'desc')
    .execute()
}

export async function countOthersOfHolder(db: Kysely<Tables>, { id, user_id }: IssuedCardRow): Promise<number> {
  const { count } = await db
    .selectFrom('issued_card')
    .where(lowerUserId, '=', user_id.toLowerCase())
    .where('id', '<>', id)
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

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

export async function issuedBy(db: Kysely<Tables>, issuer: string, userIds: readonly string[]): Promise<number> {
  const holders = userIds.map((id) => id.toLowerCase())
  const { count } = await db
    .selectFrom('issued_card')
    .where('issuer', '=', issuer)
    .where(lowerUserId, 'in', holders)
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface Wanted {
  readonly issuer: string | null
  readonly search: CardSearch
}

type RowExpression = ExpressionBuilder<Tables, 'issued_card'>

/** Ids and last digits must match whole, words in part. */
function matches(
  row: RowExpression,
  search: Exclude<CardSearch, { by: 'nothing' }>,
): ExpressionWrapper<Tables, 'issued_card', SqlBool> {
  switch (search.by) {
    case 'id':
      return row.or([row(lowerId, '=', search.id.toLowerCase()), row(lowerUserId, '=', search.id.toLowerCase())])
    case 'last-four':
      return row.or([row('last4', '=', search.last4)])
    case 'words': {
      const pattern = partPattern(search.words)
      const named = [row('printed_name', 'ilike', pattern), row('card_type_name', 'ilike', pattern)]
      return row.or(/^\d{1,9}$/.test(search.words) ? [...named, row('card_type', '=', Number(search.words))] : named)
    }
  }
}

export async function listIssuedCards(
  db: Kysely<Tables>,
  wanted: Wanted,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly cards: IssuedCardRow[]; readonly total: number }> {
  const { issuer, search } = wanted
  const all = db.selectFrom('issued_card').$if(issuer !== null, (query) => query.where('issuer', '=', issuer))
  const asked = search.by === 'nothing' ? all : all.where((row) => matches(row, search))
  const [cards, { total }] = await Promise.all([
    asked
      .selectAll()
      .orderBy('recorded_at', 'desc')
      .orderBy('id')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    asked.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { cards, total }
}
