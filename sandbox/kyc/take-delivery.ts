import { z } from 'zod'
import { Refusal } from '#sandbox/http/problem.ts'
import { readBy } from '#sandbox/http/serve.ts'
import type { World } from '#sandbox/world/world.ts'

const ID_MAX_CHARS = 200

/** Without characters that PostgreSQL has no place for. */
const id = z
  .string()
  .min(1)
  .max(ID_MAX_CHARS)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u)

const delivery = z.strictObject({ id, userId: id, status: z.enum(['APPROVED', 'REJECTED', 'PENDING_REVIEW']) })

/**
 * Takes the partner's result: the user's KYC status changes, once per delivery. Refuses 400 what is no delivery, 409 one
 * that was taken before and 404 an unknown user; a refused delivery may come again.
 */
export async function takeDelivery(world: World, body: unknown): Promise<void> {
  const result = readBy(delivery, body)
  await world.db.transaction().execute(async (trx) => {
    const stored = await trx
      .insertInto('kyc_delivery')
      .values({ id: result.id })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (stored.numInsertedOrUpdatedRows === 0n) {
      throw new Refusal(409, 'sandbox::webhook::repeated', 'This delivery was taken before.')
    }
    const changed = await trx
      .updateTable('app_user')
      .set({ kyc_status: result.status })
      .where('id', '=', result.userId)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw new Refusal(404, 'sandbox::user::not_found', 'No such user.')
  })
}
