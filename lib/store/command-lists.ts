import 'server-only'
import type { Kysely, Selectable } from 'kysely'
import type { CommandRow } from './commands.ts'
import type { Tables } from './tables.ts'

export type EventRow = Selectable<Tables['command_event']>

/** What a person sent since a time (ISO 8601), newest first. */
export function findSentBy(db: Kysely<Tables>, actor: string, since: string, limit: number): Promise<CommandRow[]> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('actor', '=', actor)
    .where('sent_at', '>=', since)
    .orderBy('sent_at', 'desc')
    .limit(limit)
    .execute()
}

/** What a person sent of one kind about one target and nobody knows the end of, the oldest first. */
export function findOpenOf(db: Kysely<Tables>, actor: string, kind: string, target: string): Promise<CommandRow[]> {
  return db
    .selectFrom('command')
    .selectAll()
    .where('actor', '=', actor)
    .where('kind', '=', kind)
    .where('target', '=', target)
    .where('state', 'in', ['sent', 'unknown', 'accepted'])
    .orderBy('sent_at')
    .execute()
}

/** Every change of one command's state, in order. */
export function findEvents(db: Kysely<Tables>, commandId: string): Promise<EventRow[]> {
  return db.selectFrom('command_event').selectAll().where('command_id', '=', commandId).orderBy('sequence').execute()
}
