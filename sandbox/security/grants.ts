import { createHash, randomBytes } from 'node:crypto'
import { Refusal } from '#sandbox/http/problem.ts'
import { formatWallTime } from '#sandbox/world/clock.ts'
import type { Db, Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'

/** One grant covers several requests in this time, by the machine's clock. */
const GRANT_MILLISECONDS = 5 * 60_000
const TOKEN_BYTES = 32

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

export interface Grant {
  readonly token: string
  readonly expiresAt: string
}

/** Only the hash is stored. Pass the transaction as `db` inside one. */
export async function issueGrant(world: World, userId: string, db: Db = world.db): Promise<Grant> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const nowMs = world.wallMilliseconds()
  const endsMs = nowMs + GRANT_MILLISECONDS
  await db.deleteFrom('step_up_grant').where('ends_ms', '<=', nowMs).execute()
  await db
    .insertInto('step_up_grant')
    .values({ token_hash: hashOf(token), user_id: userId, ends_ms: endsMs })
    .execute()
  return { token, expiresAt: formatWallTime(endsMs) }
}

export async function voidGrants(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('step_up_grant').where('user_id', '=', userId).execute()
}

async function isValid(world: World, userId: string, token: string): Promise<boolean> {
  const grant = await world.db
    .selectFrom('step_up_grant')
    .select('ends_ms')
    .where('token_hash', '=', hashOf(token))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return grant !== undefined && grant.ends_ms > world.wallMilliseconds()
}

async function isEnrolled(world: World, userId: string): Promise<boolean> {
  const totp = await world.db.selectFrom('totp').select('enrolled_at').where('user_id', '=', userId).executeTakeFirst()
  return typeof totp?.enrolled_at === 'string'
}

/** Enrolled users need a grant. Others pass without `enrolmentRequired` (interface.md, "Step-up verification"). */
export async function requireStepUp(
  world: World,
  userId: string,
  grant: string | null,
  enrolmentRequired = false,
): Promise<void> {
  if (!(await isEnrolled(world, userId))) {
    if (!enrolmentRequired) return
    throw new Refusal(403, 'core::gatekeeper::enrol::required', 'This needs two-factor security. Set it up first.')
  }
  if (grant !== null && (await isValid(world, userId, grant))) return
  throw new Refusal(403, 'core::gatekeeper::required', 'This needs a fresh code from your authenticator.')
}
