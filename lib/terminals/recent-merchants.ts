import 'server-only'
import { type Kysely, sql } from 'kysely'
import { inTransaction } from '#lib/store/in-transaction.ts'
import type { Tables } from '#lib/store/tables.ts'

/** So many are kept per person; whoever was looked at longest ago goes first. */
export const RECENT_MERCHANTS_MAX = 8

/** Puts a merchant at the front of a person's list. */
export async function rememberMerchant(db: Kysely<Tables>, actor: string, merchantId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    // One at a time per person: two that take and drop the same rows in other orders would wait for each other for ever.
    await sql`SELECT pg_advisory_xact_lock(hashtext(${`recent merchants ${actor}`}))`.execute(trx)
    const used_at = new Date().toISOString()
    await trx
      .insertInto('recent_merchant')
      .values({ actor, merchant_id: merchantId, used_at })
      .onConflict((conflict) => conflict.columns(['actor', 'merchant_id']).doUpdateSet({ used_at }))
      .execute()
    const kept = latest(trx, actor)
    await trx.deleteFrom('recent_merchant').where('actor', '=', actor).where('merchant_id', 'not in', kept).execute()
  })
}

/** A person's merchants, the latest first. */
export async function recentMerchants(db: Kysely<Tables>, actor: string): Promise<string[]> {
  const rows = await latest(db, actor).execute()
  return rows.map((row) => row.merchant_id)
}

const latest = (db: Kysely<Tables>, actor: string) =>
  db
    .selectFrom('recent_merchant')
    .select('merchant_id')
    .where('actor', '=', actor)
    .orderBy('used_at', 'desc')
    .orderBy('merchant_id')
    .limit(RECENT_MERCHANTS_MAX)
