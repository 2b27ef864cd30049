import type { Selectable } from 'kysely'
import type { Tables } from '#sandbox/world/tables.ts'

export type TotpRow = Selectable<Tables['totp']>

/** The active secret, or the one that waits for its first code. */
export type Proves = 'enrolled' | 'pending'

/** Base32; null when the user has none of this kind. */
export function secretOf(row: TotpRow, proves: Proves): string | null {
  if (proves === 'pending') return row.pending_secret
  return row.enrolled_at === null ? null : row.secret
}

export const isLocked = (row: TotpRow, milliseconds: number): boolean =>
  row.locked_until_ms !== null && row.locked_until_ms > milliseconds
