import 'server-only'
import { may, readAccess } from '#lib/core-api/scopes.ts'
import type { Session } from '#lib/session/session.ts'
import type { CommandRow } from '#lib/store/commands.ts'
import { kindNamed } from './kinds.ts'

const OWN = { lookScope: 'own' } as const

type Whose = Pick<CommandRow, 'id' | 'actor' | 'kind'>

/**
 * Whether a person sees a change with all its facts: their own, and somebody else's where they hold the scope that reading
 * its object takes. Nobody but the console guards what stands in its journal, so only scopes that are known to be there
 * open it: after password sign-in none is, and a person sees their own changes alone.
 */
export async function seesChange(session: Session, row: Whose): Promise<boolean> {
  if (row.actor === session.actor) return true
  // One of another version is nobody's but its author's: what it takes to read its object is not known here.
  const { lookScope } = kindNamed(row.kind) ?? OWN
  if (lookScope === 'own') return false
  return lookScope === null || (await readAccess(session)).scopes?.has(lookScope) === true
}

/**
 * Whether the console may read the service with this session to learn what became of a change. That shows nothing to
 * anybody, and the service refuses whoever may not, so scopes that are not known stop nothing.
 */
export async function mayLook(session: Session, row: Whose): Promise<boolean> {
  if (row.actor === session.actor) return true
  const { lookScope } = kindNamed(row.kind) ?? OWN
  if (lookScope === 'own') return false
  return lookScope === null || may(await readAccess(session), lookScope)
}
