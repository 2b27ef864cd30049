import 'server-only'
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { boundedCache } from '#lib/config/cache.ts'
import { log } from '#lib/config/log.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { type AuditedPerson, auditFailed, noteAudit } from '#lib/session/audit-trail.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import type { WhySignIn } from './paths.ts'

/** Same retention as the audit trail. */
const KEPT_MS = 400 * 86_400_000
/** A repeated refusal is recorded once in this time. */
const REFUSALS_EVERY_MS = 60_000
const REFUSALS_MAX = 1_000

type Person = Pick<AuditedPerson, 'actor' | 'displayName'>

export const accountHash = (account: string): string =>
  createHash('sha256').update(account.trim().toLowerCase()).digest('hex')

export async function findKnownPerson(db: Kysely<Tables>, account: string): Promise<Person | null> {
  const found = await db
    .selectFrom('known_account')
    .select(['actor', 'actor_name as displayName'])
    .where('account_hash', '=', accountHash(account))
    .where('last_at', '>', keptSince())
    .executeTakeFirst()
  return found ?? null
}

export async function saveKnownAccount(db: Kysely<Tables>, account: string, person: Person): Promise<void> {
  const row = { actor: person.actor, actor_name: person.displayName, last_at: new Date().toISOString() }
  await db
    .insertInto('known_account')
    .values({ account_hash: accountHash(account), ...row })
    .onConflict((conflict) => conflict.column('account_hash').doUpdateSet(row))
    .execute()
  await db.deleteFrom('known_account').where('last_at', '<=', keptSince()).execute()
}

const keptSince = (): string => new Date(Date.now() - KEPT_MS).toISOString()

/** Never throws. */
export async function noteLetIn(account: string, person: Person): Promise<void> {
  try {
    await saveKnownAccount(await store(), account, person)
  } catch (error) {
    log().warn({ event: 'known-account', error: error instanceof Error ? error.name : 'unknown' })
  }
}

/** Also false when the store does not answer. */
export async function isKnownAccount(account: string): Promise<boolean> {
  try {
    return (await findKnownPerson(await store(), account)) !== null
  } catch {
    return false
  }
}

/** The identity provider authenticated the person. Never throws. */
export async function auditRefused(by: AuditedPerson, why: WhySignIn): Promise<void> {
  const lately = perProcess('refused sign-ins', () => boundedCache<true>(REFUSALS_MAX, REFUSALS_EVERY_MS))
  const attempt = `${by.actor} ${by.method} ${why}`
  if (lately.has(attempt)) return
  lately.set(attempt, true)
  await noteAudit({ by, kind: 'session.refused', facts: { why } })
}

/** Never stores the typed account, which may be a password. Never throws. */
export async function auditRefusedPassword(account: string, why: WhySignIn): Promise<void> {
  try {
    const person = await findKnownPerson(await store(), account)
    if (person !== null)
      await noteAudit({ by: { ...person, method: 'password' }, kind: 'session.refused', facts: { why } })
  } catch (error) {
    auditFailed('session.refused', error)
  }
}
