import 'server-only'
import type { Kysely } from 'kysely'
import { type EventRow, findEvents } from '#lib/commands/queries.ts'
import { config } from '#lib/config/config.ts'
import type { Tables } from '#lib/store/tables.ts'
import { macOf } from './append.ts'

export interface GenuineEvent extends Pick<EventRow, 'at' | 'state' | 'actor'> {
  readonly body: Readonly<Record<string, unknown>>
}

export const isGenuine = (event: EventRow): boolean => macOf(event, config().auditKey) === event.mac

/** Events with a valid MAC under AUDIT_KEY. Without the key, a writer can remove events but not forge or move them. */
export async function genuineEvents(db: Kysely<Tables>, commandId: string): Promise<readonly GenuineEvent[]> {
  return (await findEvents(db, commandId))
    .filter(isGenuine)
    .map(({ at, state, actor, body }) => ({ at, state, actor, body: JSON.parse(body) as GenuineEvent['body'] }))
}

export const genuineBodies = async (db: Kysely<Tables>, commandId: string): Promise<readonly GenuineEvent['body'][]> =>
  (await genuineEvents(db, commandId)).map(({ body }) => body)
