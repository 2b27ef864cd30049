import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables, Trx } from '#lib/store/tables.ts'

/** Valid once the key is confirmed. */
export async function keepDigits(trx: Trx, actor: string, digits: number): Promise<void> {
  await trx
    .insertInto('totp_digits')
    .values({ actor, digits, enrolled_at: null })
    .onConflict((conflict) => conflict.column('actor').doUpdateSet({ digits, enrolled_at: null }))
    .execute()
}

export async function forgetDigits(trx: Trx, actor: string): Promise<void> {
  await trx.deleteFrom('totp_digits').where('actor', '=', actor).execute()
}

export async function confirmDigits(db: Kysely<Tables>, actor: string, enrolledAt: string): Promise<void> {
  await db.updateTable('totp_digits').set({ enrolled_at: enrolledAt }).where('actor', '=', actor).execute()
}

/** Null if this console did not make the key. */
export async function digitsOf(db: Kysely<Tables>, actor: string, enrolledAt: string | null): Promise<number | null> {
  if (enrolledAt === null) return null
  const row = await db
    .selectFrom('totp_digits')
    .select('digits')
    .where('actor', '=', actor)
    .where('enrolled_at', '=', enrolledAt)
    .executeTakeFirst()
  return row?.digits ?? null
}
