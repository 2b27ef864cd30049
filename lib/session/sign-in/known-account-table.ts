import 'server-only'
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'

/** As long as the audit trail knows that somebody was here. */
const KEPT_MS = 400 * 86_400_000

export interface KnownPerson {
  readonly actor: string
  readonly displayName: string
}

/** SHA-256 of an account as people type it, in hexadecimal. */
export const accountHash = (account: string): string =>
  createHash('sha256').update(account.trim().toLowerCase()).digest('hex')

/** Who was let in here with this account last; null when nobody was within 400 days. */
export async function findKnownPerson(db: Kysely<Tables>, account: string): Promise<KnownPerson | null> {
  const found = await db
    .selectFrom('known_account')
    .select(['actor', 'actor_name as displayName'])
    .where('account_hash', '=', accountHash(account))
    .where('last_at', '>', keptSince())
    .executeTakeFirst()
  return found ?? null
}

/** Somebody was let in. Accounts that were not used for 400 days are erased on the way. */
export async function saveKnownAccount(db: Kysely<Tables>, account: string, person: KnownPerson): Promise<void> {
  const row = { actor: person.actor, actor_name: person.displayName, last_at: new Date().toISOString() }
  await db
    .insertInto('known_account')
    .values({ account_hash: accountHash(account), ...row })
    .onConflict((conflict) => conflict.column('account_hash').doUpdateSet(row))
    .execute()
  await db.deleteFrom('known_account').where('last_at', '<=', keptSince()).execute()
}

const keptSince = (): string => new Date(Date.now() - KEPT_MS).toISOString()
