import 'server-only'
import { boundedCache } from '#lib/config/cache.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { type AuditedPerson, auditFailed, noteAudit } from '#lib/session/audit-trail.ts'
import { store } from '#lib/store/store.ts'
import { findKnownPerson } from './known-account-table.ts'
import type { WhySignIn } from './paths.ts'

/** The same refusal of the same person is put on record once in so long, however often they try. */
const EVERY_MS = 60_000
const KEPT_MAX = 1_000

/** Puts on record that somebody whom the identity provider knows was not let in. Never fails: the refusal itself stands. */
export async function auditRefused(by: AuditedPerson, why: WhySignIn): Promise<void> {
  const lately = perProcess('refused sign-ins', () => boundedCache<true>(KEPT_MAX, EVERY_MS))
  const attempt = `${by.actor} ${by.method} ${why}`
  if (lately.has(attempt)) return
  lately.set(attempt, true)
  await noteAudit({ by, kind: 'session.refused', facts: { why } })
}

/**
 * Puts on record that a password was refused, where the person of the account was let in here before. What was typed is kept
 * nowhere: it may be anything. Never fails.
 */
export async function auditRefusedPassword(account: string, why: WhySignIn): Promise<void> {
  try {
    const person = await findKnownPerson(await store(), account)
    if (person !== null)
      await noteAudit({ by: { ...person, method: 'password' }, kind: 'session.refused', facts: { why } })
  } catch (error) {
    auditFailed('session.refused', error)
  }
}
