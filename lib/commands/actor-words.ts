import type { Session } from '#lib/session/session.ts'
import type { CommandRow } from './command-table.ts'

type Whose = Pick<CommandRow, 'actor' | 'actor_name' | 'method'>
type Reader = Pick<Session, 'actor' | 'displayName' | 'method'>

/**
 * The author's name as the reader sees it. One user id is one person under both sign-in methods, but the two names may
 * differ: their own change must not appear under another person's name.
 */
export function actorWords(reader: Reader, { actor, actor_name, method }: Whose): string {
  if (actor !== reader.actor) return actor_name
  if (method !== null && method !== reader.method) return 'you, signed in another way'
  return actor_name === reader.displayName ? actor_name : 'you'
}
