import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables, Trx } from '#lib/store/tables.ts'

/** A key was made for a person: its codes have so many digits. It counts once it is confirmed. */
export async function keepDigits(trx: Trx, actor: string, digits: number): Promise<void> {
  await trx
    .insertInto('totp_digits')
    .values({ actor, digits, enrolled_at: null })
    .onConflict((conflict) => conflict.column('actor').doUpdateSet({ digits, enrolled_at: null }))
    .execute()
}

/** Nothing is known of a person's codes. */
export async function forgetDigits(trx: Trx, actor: string): Promise<void> {
  await trx.deleteFrom('totp_digits').where('actor', '=', actor).execute()
}

/** The key of a person is in use since a time of the service. */
export async function confirmDigits(db: Kysely<Tables>, actor: string, enrolledAt: string): Promise<void> {
  await db.updateTable('totp_digits').set({ enrolled_at: enrolledAt }).where('actor', '=', actor).execute()
}

/** How many digits the codes of a person have whose key is in use since a time; null where this console did not make it. */
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
