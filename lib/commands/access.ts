import 'server-only'
import { refusedBy } from '#lib/authorization/judge.ts'
import { auditRules, type ChangeRule, changes, OVERSIGHT, type Rule } from '#lib/authorization/table.ts'
import { readAccess } from '#lib/service/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'
import { isHiddenFrom } from './hidden-from-parties.ts'
import { commandNamed, kindNamed } from './kind.ts'
import type { CommandRow } from './row.ts'

type Whose = Pick<CommandRow, 'id' | 'actor' | 'kind'>

/** Only its author sees a change of an unknown kind, because the scope that reads its object is unknown. */
const OTHER_VERSION: ChangeRule = { change: 'own', others: 'own', madeBy: 'console' }

export function ruleOfChange(row: Pick<CommandRow, 'kind'>): ChangeRule {
  const kind = kindNamed(row.kind)
  return kind === undefined ? OTHER_VERSION : kind.access
}

/** Only the console guards its journal, so other people's changes need a scope that is known to be held. */
export async function canView(session: Session, row: Whose): Promise<boolean> {
  if (row.actor === session.actor) return true
  return (await canViewKind(session, row)) && !(await isHiddenFrom(await store(), session.userId, row))
}

/** As {@link canView}, but also for the parties of its case. */
export async function canViewKind(session: Session, row: Whose): Promise<boolean> {
  if (row.actor === session.actor) return true
  const { others } = ruleOfChange(row)
  return others !== 'own' && (await refusedBy(session, others)) === null
}

export async function kindsSeenOfOthers(session: Session): Promise<readonly string[]> {
  const seen = await Promise.all(
    Object.entries(changes).map(async ([kind, { others }]) =>
      others !== 'own' && (await refusedBy(session, others)) === null ? [kind] : [],
    ),
  )
  return seen.flat()
}

export const canViewEntry = async (
  session: Session,
  { actor, kind }: { readonly actor: string; readonly kind: string },
): Promise<boolean> => actor === session.actor || (await auditKindsSeenOfOthers(session)).includes(kind)

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

/** Another person's change needs the scope that reads its effect. */
export async function canReconcile(session: Session, row: Whose): Promise<boolean> {
  if (row.actor === session.actor) return true
  const kind = commandNamed(row.kind)
  const scope = kind !== undefined && 'send' in kind ? kind.reconcileScope : 'own'
  if (scope === 'own' || !(await canView(session, row))) return false
  return (await readAccess(session)).scopes?.has(scope) === true
}
