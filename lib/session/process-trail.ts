import 'server-only'
import { sql } from 'kysely'
import { config } from '#lib/config/config.ts'
import { bootId } from '#lib/config/per-process.ts'
import { signKeyChange, verifierKey } from '#lib/journal/checkpoint.ts'
import { logEvents } from '#lib/journal/sequencer.ts'
import { inTransaction, store } from '#lib/store/store.ts'
import type { Trx } from '#lib/store/tables.ts'
import { type AuditFacts, auditFailed, recordAudit } from './audit-trail.ts'

/** Acts where no person does. */
const CONSOLE = { actor: 'console', displayName: 'Console', method: null } as const

/** In the signed log; a policy or key that differs from the last start also in the audit trail. Never throws. */
export async function recordStart(): Promise<void> {
  try {
    await inTransaction(await store(), async (trx) => {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('process trail', 0))`.execute(trx)
      const { policy, logOrigin, logKeys, witness } = config()
      const keys = logKeys.map((key) => verifierKey(logOrigin, key))
      await logProcess(trx, 'console.start', { policy: policy.version, keys, witness: witness?.publicKey.name ?? null })
      await recordPolicy(trx)
      await recordKeyChange(trx)
    })
  } catch (error) {
    auditFailed('console.start', error)
  }
}

/** Never throws. */
export async function recordStop(): Promise<void> {
  try {
    await inTransaction(await store(), (trx) => logProcess(trx, 'console.stop', {}))
  } catch (error) {
    auditFailed('console.stop', error)
  }
}

const logProcess = (trx: Trx, state: string, body: Readonly<Record<string, unknown>>) =>
  logEvents(trx, [{ at: new Date().toISOString(), state, actor: CONSOLE.actor, body: { boot: bootId(), ...body } }])

async function recordPolicy(trx: Trx): Promise<void> {
  const { version, rules } = config().policy
  const before = (await latest(trx, 'policy.load'))?.policy ?? null
  if (before === version) return
  await recordAudit(trx, { by: CONSOLE, kind: 'policy.load', facts: { policy: version, before, rules: rules.length } })
}

async function recordKeyChange(trx: Trx): Promise<void> {
  const { logOrigin: origin, logKeys } = config()
  const [next, from] = logKeys
  if (from === undefined) return
  const [old, current] = [verifierKey(origin, from), verifierKey(origin, next)]
  if ((await latest(trx, 'key.change'))?.to === current) return
  const facts = { from: old, to: current, statement: signKeyChange(origin, from, next) }
  await recordAudit(trx, { by: CONSOLE, kind: 'key.change', facts })
}

async function latest<Kind extends 'policy.load' | 'key.change'>(
  trx: Trx,
  kind: Kind,
): Promise<AuditFacts[Kind] | null> {
  const row = await trx
    .selectFrom('audit_entry')
    .select('facts')
    .where('actor', '=', CONSOLE.actor)
    .where('kind', '=', kind)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : (JSON.parse(row.facts) as AuditFacts[Kind])
}
