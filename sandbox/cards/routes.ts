import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { uuid } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { JsonNumber } from '#lib/contract/json.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import { invalidField } from '#sandbox/http/problem.ts'
import { type Answer, type Gate, ok, serve } from '#sandbox/http/serve.ts'
import { writeOrFail } from '#sandbox/http/write-or-fail.ts'
import { findUser } from '#sandbox/identity/users.ts'
import { requireStepUp } from '#sandbox/security/grants.ts'
import { type Randomness, systemRandomness } from '#sandbox/world/random.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { type Caps, capColumns, capsOf, loosens, readCaps } from './caps.ts'
import { bareNumber, newCardNumber } from './card-number.ts'
import {
  type CardChange,
  type CardRow,
  findCard,
  lockedCard,
  stateRefused,
  updateCard,
  writeFailure,
} from './card-rows.ts'

const products: ReadonlyMap<number, string> = new Map([
  [1, 'Classic'],
  [2, 'Business'],
  [3, 'Youth'],
])

export function serveCards(app: FastifyInstance, gate: Gate): void {
  const { world } = gate
  const { cards } = endpoints
  serve(app, gate, cards.list, (_call, caller) => listCards(world, caller))
  serve(app, gate, cards.read, ({ params }, caller) => readCard(world, caller, params.cardId))
  serve(app, gate, cards.issue, ({ body }) => issueCard(world, body))
  serve(app, gate, cards.activate, ({ params, body }, caller) =>
    changeCard(world, params.cardId, caller.userId, (card, at) => activate(card, at, body.cardNumber)),
  )
  serve(app, gate, cards.freeze, ({ params }, caller) => changeCard(world, params.cardId, caller.userId, freeze))
  serve(app, gate, cards.unfreeze, ({ params }, caller) => changeCard(world, params.cardId, caller.userId, unfreeze))
  serve(app, gate, cards.limits, ({ params, body, grant }, caller) =>
    changeLimits(world, caller, params.cardId, readCaps(body), grant),
  )
  serve(app, gate, cards.block, ({ params }) => changeCard(world, params.cardId, null, block))
}

function requireStatus({ status }: CardRow, needed: CardRow['status'], done: string): void {
  if (status !== needed) throw stateRefused(`Only a card that is ${needed} can be ${done}; this is ${status}.`)
}

function activate(card: CardRow, at: string, typed: string): CardChange {
  requireStatus(card, 'UNISSUED', 'activated')
  if (bareNumber(typed) !== card.card_number) throw invalidField('cardNumber', 'is not the number on this card')
  return { status: 'ACTIVE', activated_at: at }
}

/** Final, from any state. Administrative: works on any holder's card. */
function block(card: CardRow): CardChange {
  if (card.status === 'BLOCKED') throw stateRefused('This card is BLOCKED already.')
  return { status: 'BLOCKED' }
}

/** The order matters: validation, the card's state, then step-up (interface.md, "Cards", cap rules 3 to 5). */
async function changeLimits(
  world: World,
  { userId }: Caller,
  cardId: string,
  caps: Caps,
  grant: string | null,
): Promise<Answer> {
  const write = (mayLoosen: boolean): Promise<Answer | null> =>
    writeOrFail(world, writeFailure, async (trx) => {
      const card = await lockedCard(trx, cardId, userId)
      if (card.status === 'BLOCKED') throw stateRefused('The limits of a card that is BLOCKED cannot be changed.')
      if (!mayLoosen && loosens(capsOf(card), caps)) return null
      return ok(cardBody(await updateCard(trx, card, capColumns(caps))))
    })
  for (let mayLoosen = false; ; mayLoosen = true) {
    const answer = await write(mayLoosen)
    if (answer !== null) return answer
    // Between two transactions, because it reads other tables. A grant also covers caps that changed in between.
    await requireStepUp(world, userId, grant, true)
  }
}

/** Never needs step-up: a holder who lost the card must freeze it at once. */
function freeze(card: CardRow, at: string): CardChange {
  requireStatus(card, 'ACTIVE', 'frozen')
  if (card.frozen) throw stateRefused('This card is frozen already.')
  return { frozen: true, frozen_at: at }
}

async function listCards(world: World, caller: Caller): Promise<Answer> {
  const cards = await world.db
    .selectFrom('card')
    .selectAll()
    .where('user_id', '=', caller.userId)
    .orderBy('issued_at', 'desc')
    .orderBy('id')
    .execute()
  return ok({ cards: cards.map(cardBody) })
}

const readCard = async (world: World, caller: Caller, cardId: string): Promise<Answer> =>
  ok(cardBodyWithNumber(await findCard(world.db, cardId, caller.userId)))

/** The route has checked the step-up grant. */
function unfreeze(card: CardRow): CardChange {
  requireStatus(card, 'ACTIVE', 'unfrozen')
  if (!card.frozen) throw stateRefused('This card is not frozen.')
  return { frozen: false, frozen_at: null }
}

/** `holderId` null: any holder's card. `decide` runs under the card's lock and throws to refuse. */
const changeCard = async (
  world: World,
  cardId: string,
  holderId: string | null,
  decide: (card: CardRow, at: string) => CardChange,
): Promise<Answer> =>
  await writeOrFail(world, writeFailure, async (trx) => {
    const card = await lockedCard(trx, cardId, holderId)
    return ok(cardBody(await updateCard(trx, card, decide(card, world.clock.now()))))
  })

const NUMBERS_TRIED_MAX = 10

/** The only answer that shows the card's number to someone other than its holder. */
export async function issueCard(
  world: World,
  input: { readonly userId: string; readonly cardType: number; readonly printedName: string },
  random: Randomness = systemRandomness,
): Promise<Answer> {
  const printedName = input.printedName.trim()
  const userId = input.userId.toLowerCase()
  if (!uuid.safeParse(userId).success) throw invalidField('userId', 'must be a UUID')
  if (!products.has(input.cardType)) throw invalidField('cardType', 'is not a card product')
  if (printedName === '') throw invalidField('printedName', 'is required')
  if (/\p{Control}/u.test(printedName)) throw invalidField('printedName', 'must not have control characters')
  return await writeOrFail(world, writeFailure, async (trx) => {
    if ((await findUser(trx, userId)) === undefined) throw invalidField('userId', 'is not a user of this service')
    const card = await insertCard(trx, random, {
      id: randomUUID(),
      user_id: userId,
      card_type: input.cardType,
      printed_name: printedName,
      status: 'UNISSUED',
      frozen: false,
      issued_at: world.clock.now(),
      activated_at: null,
      frozen_at: null,
      per_txn_cap: null,
      daily_cap: null,
      lifetime_cap: null,
    })
    return ok(cardBodyWithNumber(card))
  })
}

async function insertCard(trx: Trx, random: Randomness, card: Omit<CardRow, 'card_number'>): Promise<CardRow> {
  for (let tried = 0; tried < NUMBERS_TRIED_MAX; tried += 1) {
    const inserted = await trx
      .insertInto('card')
      .values({ ...card, card_number: newCardNumber(random) })
      .onConflict((conflict) => conflict.column('card_number').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (inserted !== undefined) return inserted
  }
  throw new Error(`${NUMBERS_TRIED_MAX} card numbers in a row are taken`)
}

const capNumber = (text: string | null): JsonNumber | null => (text === null ? null : new JsonNumber(text))

const cardBody = (card: CardRow) => ({
  id: card.id,
  userId: card.user_id,
  cardNumber: null,
  last4: card.card_number.slice(-4),
  cardType: card.card_type,
  cardTypeName: products.get(card.card_type) ?? '',
  printedName: card.printed_name,
  status: card.status,
  frozen: card.frozen,
  issuedAt: card.issued_at,
  activatedAt: card.activated_at,
  frozenAt: card.frozen_at,
  perTxnCap: capNumber(card.per_txn_cap),
  dailyCap: capNumber(card.daily_cap),
  lifetimeCap: capNumber(card.lifetime_cap),
})

const cardBodyWithNumber = (card: CardRow) => ({ ...cardBody(card), cardNumber: card.card_number })
