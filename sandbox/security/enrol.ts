import { toBuffer } from 'qrcode'
import type { Caller } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import { type Answer, ok } from '#sandbox/http/serve.ts'
import { writeOrFail } from '#sandbox/http/write-or-fail.ts'
import type { World } from '#sandbox/world/world.ts'
import { newSecret, provisioningUrl } from './totp-code.ts'

/** Nothing has changed, so a retry is safe. */
export const enrolmentWriteFailure = {
  code: 'core::gatekeeper::enrol::fail',
  title: 'Two-factor security could not be changed. Nothing changed; try again.',
} as const

/**
 * Replaces an earlier pending secret. The person is not enrolled until a code confirms it. `barcode` is a PNG in
 * base64.
 */
export async function enrol(world: World, caller: Caller): Promise<Answer> {
  const { email } = await world.db
    .selectFrom('app_user')
    .select('email')
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow()
  const secret = newSecret(world.random)
  const url = provisioningUrl(secret, email)
  const png = await toBuffer(url, { type: 'png' })
  await writeOrFail(world, enrolmentWriteFailure, async (trx) => {
    const written = await trx
      .insertInto('totp')
      .values({
        user_id: caller.userId,
        secret: null,
        pending_secret: secret,
        enrolled_at: null,
        used_step: 0,
        wrong_codes: 0,
        locked_until_ms: null,
      })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({ pending_secret: secret }).where('totp.enrolled_at', 'is', null),
      )
      .executeTakeFirst()
    if (written.numInsertedOrUpdatedRows === 0n) {
      throw new Refusal(409, 'core::gatekeeper::totp::already_enrolled', 'Two-factor security is set up already.')
    }
  })
  return ok({ url, barcode: png.toString('base64') })
}
