import 'server-only'
import { refusedBy } from '#lib/authorization/judge.ts'
import { auditRules, type ChangeRule, changes, OVERSIGHT, type Rule } from '#lib/authorization/table.ts'
import { readAccess } from '#lib/service/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import type { CommandRow } from './command-table.ts'
import { kindNamed } from './registry.ts'

type Whose = Pick<CommandRow, 'id' | 'actor' | 'kind'>

/** One of another version is nobody's but its author's: what it takes to read its object is not known here. */
const OTHER_VERSION: ChangeRule = { change: 'own', others: 'own', madeBy: 'console' }

/** The table's entry of a stored change. */
export function ruleOfChange(row: Pick<CommandRow, 'kind'>): ChangeRule {
  const kind = kindNamed(row.kind)
  return kind === undefined ? OTHER_VERSION : changes[kind.kind]
}

/**
 * Whether a person sees a change with all its facts: their own, and somebody else's where the table lets them. Nobody but
 * the console guards what stands in its journal, so only scopes that are known to be there open it.
 */
export async function canView(session: Session, row: Whose): Promise<boolean> {
  if (row.actor === session.actor) return true
  const { others } = ruleOfChange(row)
  return others !== 'own' && (await refusedBy(session, others)) === null
}

/** The kinds of change of which a person sees those of others: {@link canView}, for whole lists. */
export async function kindsSeenOfOthers(session: Session): Promise<readonly string[]> {
  const seen = await Promise.all(
    Object.entries(changes).map(async ([kind, { others }]) =>
      others !== 'own' && (await refusedBy(session, others)) === null ? [kind] : [],
    ),
  )
  return seen.flat()
}

/** Whether a person sees an entry of the audit trail: their own, and somebody else's where the table lets them. */
export async function canViewEntry(
  session: Session,
  { actor, kind }: { readonly actor: string; readonly kind: string },
): Promise<boolean> {
  return actor === session.actor || (await auditKindsSeenOfOthers(session)).includes(kind)
}

/** The kinds of entries of the audit trail of which a person sees those of others. */
export async function auditKindsSeenOfOthers(session: Session): Promise<readonly string[]> {
  const holds = async (rule: Rule): Promise<boolean> => rule !== 'own' && (await refusedBy(session, rule)) === null
  const oversight = (await Promise.all(OVERSIGHT.map((scope) => holds([scope])))).every((held) => held)
  const seen = await Promise.all(
    Object.entries(auditRules).map(async ([kind, rule]) =>
      (rule === 'oversight' ? oversight : await holds(rule)) ? [kind] : [],
    ),
  )
  return seen.flat()
}

/**
 * Whether the console may keep looking with this session at what became of a change. A session that cannot read the effect
 * would hold the watch and never end it, so somebody else's takes the scope of its look as well, known to be there.
 */
export async function canReconcile(session: Session, row: Whose): Promise<boolean> {
  if (row.actor === session.actor) return true
  const scope = kindNamed(row.kind)?.reconcileScope ?? 'own'
  if (scope === 'own' || !(await canView(session, row))) return false
  return (await readAccess(session)).scopes?.has(scope) === true
}
