import 'server-only'
import { createHmac } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { config } from '#lib/config/config.ts'
import type { Tables } from '#lib/store/tables.ts'

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

export interface ChainedEvent {
  readonly sequence: number
  readonly command_id: string
  readonly at: string
  readonly state: string
  readonly actor: string
  readonly body: string
  readonly previous_mac: string
}

/** HMAC-SHA256 of the event and the previous MAC, in hexadecimal. */
export function macOf(event: ChainedEvent, key: Buffer): string {
  const { sequence, command_id, at, state, actor, body, previous_mac } = event
  const covered = JSON.stringify([sequence, command_id, at, state, actor, body, previous_mac])
  return createHmac('sha256', key).update(covered).digest('hex')
}

export type EventRow = Selectable<Tables['command_event']>

export function findEvents(db: Kysely<Tables>, commandId: string): Promise<EventRow[]> {
  return db.selectFrom('command_event').selectAll().where('command_id', '=', commandId).orderBy('sequence').execute()
}

/** For the log, where it reveals a later truncation of the chain. */
export function chainEnd(db: Kysely<Tables>): Promise<{ sequence: number; mac: string }> {
  return db.selectFrom('command_chain').select(['sequence', 'mac']).where('one', '=', 1).executeTakeFirstOrThrow()
}
