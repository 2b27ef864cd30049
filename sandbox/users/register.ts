import type { z } from 'zod'
import type { registration } from '#lib/contract/users.ts'
import { invalidField, Refusal } from '#sandbox/http/problem.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { hashPassword, passwordFault } from '#sandbox/identity/password.ts'
import { openAccount } from '#sandbox/ledger/accounts.ts'
import { newUuid } from '#sandbox/world/random.ts'
import type { World } from '#sandbox/world/world.ts'

/** After spaces, dashes and parentheses are removed. */
const PHONE = /^\+\d{7,15}$/

export async function register(world: World, input: z.output<typeof registration>): Promise<Answer> {
  const fault = passwordFault(input.password)
  if (fault !== null) throw invalidField('password', fault)
  if (!PHONE.test(input.phoneNumber.replace(/[\s()-]/g, ''))) {
    throw invalidField('phoneNumber', 'must be a phone number in international form, for example +501 600 0000')
  }
  const user = {
    id: newUuid(world.random),
    first_name: input.firstName,
    last_name: input.lastName,
    email: input.email,
    email_key: input.email.toLowerCase(),
    phone_number: input.phoneNumber,
    username: input.username,
    username_key: input.username.toLowerCase(),
    password_hash: await hashPassword(input.password),
    roles: 'HOLDER',
    kyc_status: 'PENDING',
    may_sign_in: true,
    failed_sign_ins: 0,
    locked_until_ms: null,
    token_generation: 0,
    created_at: world.clock.now(),
  }
  await world.db.transaction().execute(async (trx) => {
    const added = await trx
      .insertInto('app_user')
      .values(user)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows === 0n) {
      throw new Refusal(409, 'core::users::taken', 'This e-mail address or username is taken.')
    }
    await openAccount(trx, user.id, 'wallet')
  })
  return ok({
    id: user.id,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    phoneNumber: user.phone_number,
    username: user.username,
    kycStatus: user.kyc_status,
    createdAt: user.created_at,
  })
}
