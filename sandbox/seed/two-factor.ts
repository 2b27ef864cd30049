import type { Insertable } from 'kysely'
import { plusSeconds } from '#sandbox/world/clock.ts'
import type { Tables } from '#sandbox/world/tables.ts'
import { userIdEndingIn } from './people.ts'

const DAY = 86_400

/** Base32. Fixed, so that an authenticator survives a reset. */
const enrolled: readonly { readonly ending: string; readonly secret: string }[] = [
  { ending: '002', secret: 'KVKFKRCPNZQUYMLXOVYDSQKJKZDTSRLD' },
  { ending: '003', secret: 'JBSWY3DPEHPK3PXPMFZGE2LUOJQXI33S' },
]

export function totpRows(now: string): Insertable<Tables['totp']>[] {
  const enrolledAt = plusSeconds(now, -30 * DAY)
  return enrolled.map(({ ending, secret }) => ({
    user_id: userIdEndingIn(ending),
    secret,
    pending_secret: null,
    enrolled_at: enrolledAt,
    used_step: 0,
    wrong_codes: 0,
    locked_until_ms: null,
  }))
}
