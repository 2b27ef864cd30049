import type { Session } from '#lib/session/session.ts'
import type { CommandRow } from './command-table.ts'

type Whose = Pick<CommandRow, 'actor' | 'actor_name' | 'method'>
type Reader = Pick<Session, 'actor' | 'displayName' | 'method'>

/** One person may have a different display name per sign-in method, and must recognise their own change. */
export function actorWords(reader: Reader, { actor, actor_name, method }: Whose): string {
  if (actor !== reader.actor) return actor_name
  if (method !== null && method !== reader.method) return 'you, signed in another way'
  return actor_name === reader.displayName ? actor_name : 'you'
}
