import type { FastifyInstance } from 'fastify'
import { toBuffer } from 'qrcode'
import { endpoints } from '#lib/contract/endpoints.ts'
import type { Caller } from '#sandbox/http/caller.ts'
import { Refusal } from '#sandbox/http/problem.ts'
import { type Answer, type Gate, ok, serve } from '#sandbox/http/serve.ts'
import { writeOrFail } from '#sandbox/http/write-or-fail.ts'
import { formatWallTime } from '#sandbox/world/clock.ts'
import type { World } from '#sandbox/world/world.ts'
import { issueGrant, voidGrants } from './grants.ts'
import { codeInvalid, takeCode } from './take-code.ts'
import { newSecret, provisioningUrl } from './totp-code.ts'
import { isLocked } from './totp-row.ts'

export function serveSecurity(app: FastifyInstance, gate: Gate): void {
  const { world } = gate
  const { security } = endpoints
  serve(app, gate, security.status, async (_call, caller) => ok(await totpStatus(world, caller.userId)))
  serve(app, gate, security.enrol, (_call, caller) => enrol(world, caller))
  serve(app, gate, security.confirm, ({ body }, caller) => confirmEnrolment(world, caller, body.code))
  serve(app, gate, security.verify, ({ body }, caller) => verifyCode(world, caller, body.code))
  serve(app, gate, security.remove, ({ body }, caller) => removeTotp(world, caller, body.code))
}

async function confirmEnrolment(world: World, caller: Caller, code: string): Promise<Answer> {
  const now = formatWallTime(world.wallMilliseconds())
  const confirmed = await writeOrFail(world, enrolmentWriteFailure, async (trx) => {
    if (!(await takeCode(world, trx, caller.userId, code, 'pending'))) return false
    await trx
      .updateTable('totp')
      .set((row) => ({ secret: row.ref('pending_secret'), pending_secret: null, enrolled_at: now }))
      .where('user_id', '=', caller.userId)
      .execute()
    return true
  })
  if (!confirmed) throw codeInvalid()
  return ok(await totpStatus(world, caller.userId))
}

/** Needs a current code. Ends every grant of the user. */
async function removeTotp(world: World, caller: Caller, code: string): Promise<Answer> {
  const removed = await writeOrFail(world, enrolmentWriteFailure, async (trx) => {
    if (!(await takeCode(world, trx, caller.userId, code, 'enrolled'))) return false
    await trx.deleteFrom('totp').where('user_id', '=', caller.userId).execute()
    await voidGrants(trx, caller.userId)
    return true
  })
  if (!removed) throw codeInvalid()
  return ok(await totpStatus(world, caller.userId))
}

async function verifyCode(world: World, caller: Caller, code: string): Promise<Answer> {
  const grant = await world.db.transaction().execute(async (trx) => {
    const taken = await takeCode(world, trx, caller.userId, code, 'enrolled')
    return taken ? await issueGrant(world, caller.userId, trx) : null
  })
  if (grant === null) throw codeInvalid()
  return ok(grant)
}

const enrolmentWriteFailure = {
  code: 'core::gatekeeper::enrol::fail',
  title: 'Two-factor security could not be changed. Nothing changed; try again.',
} as const

/** Replaces an earlier pending secret. The person is not enrolled until a code confirms it. `barcode`: PNG, base64. */
async function enrol(world: World, caller: Caller): Promise<Answer> {
  const { email } = await world.db
    .selectFrom('app_user')
    .select('email')
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow()
  const secret = newSecret()
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
      throw new Refusal(409, 'core::gatekeeper::totp::already_enrolled', 'Two-factor security is already set up.')
    }
  })
  return ok({ url, barcode: png.toString('base64') })
}

async function totpStatus(world: World, userId: string) {
  const row = await world.db.selectFrom('totp').selectAll().where('user_id', '=', userId).executeTakeFirst()
  const lockedUntilMs = row !== undefined && isLocked(row, world.wallMilliseconds()) ? row.locked_until_ms : null
  const enrolledAt = row?.enrolled_at ?? null
  return {
    enrolled: enrolledAt !== null,
    enrolledAt,
    lockedUntil: lockedUntilMs === null ? null : formatWallTime(lockedUntilMs),
  }
}
