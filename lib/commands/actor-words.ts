import type { Session } from '#lib/session/session.ts'
import type { CommandRow } from './command-table.ts'

type Whose = Pick<CommandRow, 'actor' | 'actor_name' | 'method'>
type Reader = Pick<Session, 'actor' | 'displayName' | 'method'>

/**
 * Whom a person reads as the author of a change. One user id is one person, however they signed in, though the two ways may
 * tell different names: their own change never stands under a name that looks like somebody else's.
 */
export function actorWords(reader: Reader, { actor, actor_name, method }: Whose): string {
  if (actor !== reader.actor) return actor_name
  if (method !== null && method !== reader.method) return 'you, signed in another way'
  return actor_name === reader.displayName ? actor_name : 'you'
}
