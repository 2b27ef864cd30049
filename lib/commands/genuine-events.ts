import 'server-only'
import type { Kysely } from 'kysely'
import { config } from '#lib/config/config.ts'
import type { Tables } from '#lib/store/tables.ts'
import { type EventRow, findEvents } from './command-lists.ts'
import { macOf } from './journal.ts'

export interface GenuineEvent extends Pick<EventRow, 'at' | 'state' | 'actor'> {
  readonly body: Readonly<Record<string, unknown>>
}

export const isGenuine = (event: EventRow): boolean => macOf(event, config().auditKey) === event.mac

/**
 * A command's events that have a MAC by AUDIT_KEY. The MAC covers the place in the chain and the command, so whoever writes to
 * the store without the key can remove events, and can neither make one nor move one.
 */
export async function genuineEvents(db: Kysely<Tables>, commandId: string): Promise<readonly GenuineEvent[]> {
  return (await findEvents(db, commandId))
    .filter(isGenuine)
    .map(({ at, state, actor, body }) => ({ at, state, actor, body: JSON.parse(body) as GenuineEvent['body'] }))
}

export const genuineBodies = async (db: Kysely<Tables>, commandId: string): Promise<readonly GenuineEvent['body'][]> =>
  (await genuineEvents(db, commandId)).map(({ body }) => body)
