import 'server-only'
import { refusedBy } from '#lib/authorization/judge.ts'
import { type ChangeRule, changes } from '#lib/authorization/table.ts'
import { readAccess } from '#lib/core-api/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import type { CommandRow } from '#lib/store/commands.ts'
import { kindNamed } from './kinds.ts'

type Whose = Pick<CommandRow, 'id' | 'actor' | 'kind'>

/** Of a change that another version of the console made: what it takes to see it is not known here. */
const UNKNOWN_KIND: ChangeRule = { change: 'own', others: 'own', madeBy: 'console' }

/** The table's entry of a stored change. */
export function ruleOfChange(row: Pick<CommandRow, 'kind'>): ChangeRule {
  const kind = kindNamed(row.kind)
  return kind === undefined ? UNKNOWN_KIND : changes[kind.kind]
}

/**
 * Whether a person sees a change with all its facts: their own, and somebody else's where the table lets them. Nobody but
 * the console guards what stands in its journal, so only scopes that are known to be there open it.
 */
export async function seesChange(session: Session, row: Whose): Promise<boolean> {
  if (row.actor === session.actor) return true
  const { others } = ruleOfChange(row)
  return others !== 'own' && (await refusedBy(session, others)) === null
}

/**
 * Whether the console may keep looking with this session at what became of a change. A session that cannot read the effect
 * would hold the watch and never end it, so somebody else's takes the scope of its look as well, known to be there.
 */
export async function mayWatch(session: Session, row: Whose): Promise<boolean> {
  if (row.actor === session.actor) return true
  const lookScope = kindNamed(row.kind)?.lookScope ?? 'own'
  if (lookScope === 'own' || !(await seesChange(session, row))) return false
  return (await readAccess(session)).scopes?.has(lookScope) === true
}
