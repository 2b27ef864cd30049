import { uuid } from '#lib/contract/wire.ts'
import { invalidField } from '#sandbox/http/problem.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { writeOrFail } from '#sandbox/http/write-or-fail.ts'
import { findUser } from '#sandbox/identity/users.ts'
import { newUuid, type Randomness } from '#sandbox/world/random.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { newCardNumber } from './card-number.ts'
import { type CardRow, writeFailure } from './card-rows.ts'
import { isCardType } from './products.ts'
import { cardBodyWithNumber } from './wire.ts'

const NUMBERS_TRIED_MAX = 10

/** The only answer that shows the card's number to someone other than its holder. */
export async function issueCard(
  world: World,
  input: { readonly userId: string; readonly cardType: number; readonly printedName: string },
): Promise<Answer> {
  const printedName = input.printedName.trim()
  if (!uuid.safeParse(input.userId).success) throw invalidField('userId', 'must be a UUID')
  if (!isCardType(input.cardType)) throw invalidField('cardType', 'is not a card product')
  if (printedName === '') throw invalidField('printedName', 'is required')
  if (/\p{Control}/u.test(printedName)) throw invalidField('printedName', 'must not have control characters')
  return await writeOrFail(world, writeFailure, async (trx) => {
    if ((await findUser(trx, input.userId)) === undefined) throw invalidField('userId', 'is not a user of this service')
    const card = await insertCard(trx, world.random, {
      id: newUuid(world.random),
      user_id: input.userId,
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
