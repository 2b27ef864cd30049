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

type WrittenEvent = Omit<EventRow, 'mac'>

/** HMAC-SHA256 in hexadecimal: of the leaf, or, before the signed log, of the event and the previous MAC. */
export const macOf = (event: WrittenEvent, key: Buffer): string => macOfText(coveredText(event), key)

const macOfText = (text: string, key: Buffer): string => createHmac('sha256', key).update(text).digest('hex')

function coveredText(event: WrittenEvent): string {
  if (event.salts !== null) return leafOf({ ...event, salts: event.salts })
  const { sequence, command_id, at, state, actor, body, previous_mac } = event
  return JSON.stringify([sequence, command_id, at, state, actor, body, previous_mac])
}

export const isWrittenWith = (event: EventRow, key: Buffer): boolean => textWrittenWith(event, key) !== null

/** Null if the event was not written with this AUDIT_KEY, or before the signed log. */
export const leafWrittenWith = (event: EventRow, key: Buffer): string | null =>
  event.salts === null ? null : textWrittenWith(event, key)

function textWrittenWith(event: EventRow, key: Buffer): string | null {
  if (!isJsonAsWritten(event.body) || (event.salts !== null && !areSalts(event.salts))) return null
  try {
    const text = coveredText(event)
    return macOfText(text, key) === event.mac ? text : null
  } catch {
    // Texts that this console did not write may have no canonical form.
    return null
  }
}

/** For JSON: lone surrogates in the service's texts cannot be encoded in UTF-8. */
export const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value

/** Queries read the text of a body, so another text of the same values is altered, for example with a field twice. */
function isJsonAsWritten(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text
  } catch {
    return false
  }
}

const SALT_BYTES = 16

/** With another length, the first bytes of a value could become part of its salt. */
const areSalts = (text: string): boolean =>
  isJsonAsWritten(text) &&
  Object.values(JSON.parse(text) as object).every(
    (salt) => typeof salt === 'string' && Buffer.from(salt, 'base64').length === SALT_BYTES,
  )

/** For each field of the body: a field can be erased while its hash remains. */
export const newSalts = (body: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.fromEntries(Object.keys(body).map((name) => [name, randomBytes(SALT_BYTES).toString('base64')])),
  )

/** Canonical JSON (RFC 8785), with the SHA-256 of salt and value in place of each field of the body. */
function leafOf(event: WrittenEvent & { readonly salts: string }): string {
  const { sequence, command_id: command, at, state, actor } = event
  const salts = JSON.parse(event.salts) as Readonly<Record<string, string>>
  const body = Object.entries(JSON.parse(event.body) as GenuineEvent['body']).map(
    ([name, value]) => [name, hashOf(salts[name] ?? NO_SALT, value)] as const,
  )
  return canonicalize({ v: 1, sequence, command, at, state, actor, body: Object.fromEntries(body) }) ?? ''
}

const NO_SALT = Buffer.alloc(SALT_BYTES).toString('base64')

const hashOf = (salt: string, value: unknown): string =>
  createHash('sha256')
    .update(Buffer.from(salt, 'base64'))
    .update(canonicalize(value) ?? '')
    .digest('base64')

/** Fields of a body that may have names, or text of people. */
export const textFields: ReadonlySet<string> = new Set([
  'params',
  'facts',
  'confirmText',
  'acknowledged',
  'outcome',
  'shows',
  'name',
  'about',
  'passkey',
  'actorName',
  'byName',
  'holder',
  'why',
  'reason',
  'asks',
  'old',
  'new',
  'freed',
])

export type EventRow = Selectable<Tables['command_event']>

export function findEvents(db: Kysely<Tables>, commandId: string): Promise<EventRow[]> {
  return db.selectFrom('command_event').selectAll().where('command_id', '=', commandId).orderBy('sequence').execute()
}
