import { Refusal } from '#sandbox/http/problem.ts'
import type { Trx } from '#sandbox/world/tables.ts'
import type { World } from '#sandbox/world/world.ts'
import { stepsInTolerance, stepsWithCode } from './totp-code.ts'
import { isLocked, type Proves, secretOf, type TotpRow } from './totp-row.ts'

/** Wrong codes in a row until the user is locked, by the machine's clock. */
const WRONG_CODES_MAX = 5
const LOCK_MILLISECONDS = 5 * 60_000

/** The same for every rejected code, so that it shows nothing about the account (interface.md). */
export const codeInvalid = (): Refusal => new Refusal(400, 'core::gatekeeper::code::invalid', 'The code was rejected.')

/** Accepts each code once. Commit on false too: wrong codes count, and by the row lock parallel ones all count. */
export async function takeCode(world: World, trx: Trx, userId: string, code: string, proves: Proves): Promise<boolean> {
  const row = await trx.selectFrom('totp').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst()
  const secret = row === undefined ? null : secretOf(row, proves)
  if (row === undefined || secret === null) return false
  const now = world.wallMilliseconds()
  if (isLocked(row, now)) return false
  const matching = stepsWithCode(secret, code, stepsInTolerance(now))
  const step = matching.find((candidate) => candidate > row.used_step)
  if (step !== undefined) {
    await update(trx, userId, { used_step: step, wrong_codes: 0, locked_until_ms: null })
    return true
  }
  // A used code is rejected but not counted as a guess: sending one twice must not lock the user.
  if (matching.length === 0) await countWrong(trx, row, now)
  return false
}

async function countWrong(trx: Trx, row: TotpRow, now: number): Promise<void> {
  const wrong = row.wrong_codes + 1
  const locks = wrong >= WRONG_CODES_MAX
  await update(trx, row.user_id, {
    wrong_codes: locks ? 0 : wrong,
    locked_until_ms: locks ? now + LOCK_MILLISECONDS : null,
  })
}

async function update(trx: Trx, userId: string, change: Partial<TotpRow>): Promise<void> {
  await trx.updateTable('totp').set(change).where('user_id', '=', userId).execute()
}
