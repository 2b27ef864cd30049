import 'server-only'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Kysely, Selectable } from 'kysely'
import { config } from '#lib/config/config.ts'
import type { Tables } from '#lib/store/tables.ts'

export interface GenuineEvent extends Pick<EventRow, 'at' | 'state' | 'actor'> {
  readonly body: Readonly<Record<string, unknown>>
}

export const isGenuine = (event: EventRow): boolean => isWrittenWith(event, config().auditKey)

/** Events with a valid MAC under AUDIT_KEY. Without the key, a writer can remove events but not forge or move them. */
export async function genuineEvents(db: Kysely<Tables>, commandId: string): Promise<readonly GenuineEvent[]> {
  return (await findEvents(db, commandId))
    .filter(isGenuine)
    .map(({ at, state, actor, body }) => ({ at, state, actor, body: JSON.parse(body) as GenuineEvent['body'] }))
}

export const genuineBodies = async (db: Kysely<Tables>, commandId: string): Promise<readonly GenuineEvent['body'][]> =>
  (await genuineEvents(db, commandId)).map(({ body }) => body)

export type WrittenEvent = Omit<EventRow, 'mac'>

/** Whether it is as it was written with this AUDIT_KEY. */
export const isWrittenWith = (event: EventRow, key: Buffer): boolean =>
  isJsonAsWritten(event.body) &&
  (event.salts === null || isJsonAsWritten(event.salts)) &&
  macOf(event, key) === event.mac

/** Some queries read the text of a body. Another text with the same values, such as one with a field twice, is altered. */
function isJsonAsWritten(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text
  } catch {
    return false
  }
}

/** HMAC-SHA256 in hexadecimal: of the leaf, or, before there was a log, of the event and the previous MAC. */
export function macOf(event: WrittenEvent, key: Buffer): string {
  const { sequence, command_id, at, state, actor, body, previous_mac, salts } = event
  const covered =
    salts === null
      ? JSON.stringify([sequence, command_id, at, state, actor, body, previous_mac])
      : leafOf({ ...event, salts })
  return createHmac('sha256', key).update(covered).digest('hex')
}

const SALT_BYTES = 16

/** One for each field of the body, so that a field can be erased while its hash still proves the rest. */
export const newSalts = (body: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.fromEntries(Object.keys(body).map((name) => [name, randomBytes(SALT_BYTES).toString('base64')])),
  )

/** Canonical JSON (RFC 8785). In place of each field of the body stands the SHA-256 of its salt and its canonical JSON. */
export function leafOf(event: WrittenEvent & { readonly salts: string }): string {
  const { sequence, command_id: command, at, state, actor } = event
  const salts = JSON.parse(event.salts) as Readonly<Record<string, string>>
  const body = Object.entries(JSON.parse(event.body) as GenuineEvent['body']).map(
    ([name, value]) => [name, hashOf(salts[name] ?? '', value)] as const,
  )
  return canonicalize({ v: 1, sequence, command, at, state, actor, body: Object.fromEntries(body) }) ?? ''
}

const hashOf = (salt: string, value: unknown): string =>
  createHash('sha256')
    .update(Buffer.from(salt, 'base64'))
    .update(canonicalize(value) ?? '')
    .digest('base64')

export type EventRow = Selectable<Tables['command_event']>

export function findEvents(db: Kysely<Tables>, commandId: string): Promise<EventRow[]> {
  return db.selectFrom('command_event').selectAll().where('command_id', '=', commandId).orderBy('sequence').execute()
}
