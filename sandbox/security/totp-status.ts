import type { World } from '#sandbox/world/world.ts'
import { isLocked } from './totp-row.ts'
import { formatWallTime } from './wall-time.ts'

export async function totpStatus(world: World, userId: string) {
  const row = await world.db.selectFrom('totp').selectAll().where('user_id', '=', userId).executeTakeFirst()
  const lockedUntilMs = row !== undefined && isLocked(row, world.wallMilliseconds()) ? row.locked_until_ms : null
  const enrolledAt = row?.enrolled_at ?? null
  return {
    enrolled: enrolledAt !== null,
    enrolledAt,
    lockedUntil: lockedUntilMs === null ? null : formatWallTime(lockedUntilMs),
  }
}
