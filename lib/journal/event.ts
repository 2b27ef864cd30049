import 'server-only'
import { createHmac, createSecretKey, hash, randomBytes } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Kysely, Selectable } from 'kysely'
import { config } from '#lib/config/config.ts'
import type { Tables, Trx } from '#lib/store/tables.ts'

export interface GenuineEvent extends Pick<EventRow, 'at' | 'state' | 'actor'> {
  readonly body: Readonly<Record<string, unknown>>
}

export const isGenuine = (event: EventRow): boolean => isWrittenWith(event, config().auditKey)

/** Events with a valid MAC under AUDIT_KEY. Without the key, a writer can remove events but not forge or move them. */
export const genuineEvents = async (db: Kysely<Tables>, commandId: string): Promise<readonly GenuineEvent[]> =>
  genuineOf(await findEvents(db, commandId))

export const genuineOf = (events: readonly EventRow[]): readonly GenuineEvent[] =>
  events
    .filter(isGenuine)
    .map(({ at, state, actor, body }) => ({ at, state, actor, body: JSON.parse(body) as GenuineEvent['body'] }))

export const genuineBodies = async (db: Kysely<Tables>, commandId: string): Promise<readonly GenuineEvent['body'][]> =>
  (await genuineEvents(db, commandId)).map(({ body }) => body)

type WrittenEvent = Omit<EventRow, 'mac' | 'erased'> & Partial<Pick<EventRow, 'erased'>>

/** HMAC-SHA256 in hexadecimal: of the leaf, or, before the signed log, of the event and the previous MAC. */
export const macOf = (event: WrittenEvent, key: Buffer): string => macOfText(coveredText(event), key)

// Node 24 is slow with a buffer.
const macOfText = (text: string, key: Buffer): string =>
  createHmac('sha256', createSecretKey(key)).update(text).digest('hex')

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

/** Their members are fields of their own. */
const GROUPS = ['params', 'facts', 'confirmText'] as const

type Values = Readonly<Record<string, unknown>>

const membersOf = (value: unknown): Values | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    ? (value as Values)
    : null

/** By name, such as `kind` and `params.reason`. `whole`: groups that an earlier build took as one field. */
const fieldsIn = (body: Values, whole: Values = {}): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(body).flatMap(([name, value]): (readonly [string, unknown])[] => {
      const isGroup = GROUPS.some((group) => group === name) && !Object.hasOwn(whole, name)
      const members = isGroup ? membersOf(value) : null
      if (members === null) return [[name, value]]
      return Object.entries(members).map(([member, one]) => [`${name}.${member}`, one])
    }),
  )

export function newSalts(body: Values): string {
  const names = [...fieldsIn(body).keys()]
  const bytes = randomBytes(SALT_BYTES * names.length)
  const saltAt = (place: number) => bytes.toString('base64', place * SALT_BYTES, (place + 1) * SALT_BYTES)
  return JSON.stringify(Object.fromEntries(names.map((name, place) => [name, saltAt(place)])))
}

/** Canonical JSON (RFC 8785), with the SHA-256 of salt and value in place of each field of the body. */
function leafOf(event: WrittenEvent & { readonly salts: string }): string {
  const { sequence, command_id: command, at, state, actor } = event
  const fields = saltedFields(event)
  const hashes = [...fields].map(([name, [salt, value]]) => [name, hashOf(salt, value)] as const)
  const erased = Object.entries(erasedIn(event))
  // A writer to the store must not leave out a decision as if it were text.
  if (erased.some(([name]) => fields.has(name) || !isErasable(name))) throw new Error('a field was left out')
  return (
    canonicalize({ v: 1, sequence, command, at, state, actor, body: Object.fromEntries([...hashes, ...erased]) }) ?? ''
  )
}

/** By name: the hash in base64. */
export const erasedIn = ({ erased = null }: Partial<Pick<EventRow, 'erased'>>): Readonly<Record<string, string>> =>
  erased === null ? {} : JSON.parse(erased)

/** What an event says that was erased: names by sequence number. */
export const erasedBy = ({ body }: Pick<EventRow, 'body'>): Readonly<Record<string, readonly string[]>> =>
  body.includes('"erased":') ? (((JSON.parse(body) as Values).erased as never) ?? {}) : {}

/** Fields beside the groups that can have text about people. */
const TEXTS = new Set('why asks acknowledged reason shows old new about name actorName byName'.split(' '))

/** Members of groups that have none: ids, amounts, times, states, choices and counts. */
const NO_TEXT = new Set(
  `
    referenceId bankReference statementAmount amount debit credit state status register toAccountId fromAccountId
    userId merchantId terminalId terminalUid cardId last4 issueId cardType cardTypeName caseId disputeCase
    raisedByUserId counterpartyUserId resolvedByUserId createdAt registeredAt updatedAt blockedAt sentAt enrolledAt
    at since until answerBy decision happened way id line lines what leftOut format sha256 category change messages
    latestMessageId from to parties watching chosen noRoom open end deadline enrolled taken same events faults rows
    read policy before rules statement startedAt lastActiveAt triesLeft seconds sessions table
  `
    .trim()
    .split(/\s+/),
)

/** Whether the field can have text about people, and so can be erased. Others are evidence without it. */
export function isErasable(name: string): boolean {
  const [, group = '', member] = /^(\w+)\.(.*)$/s.exec(name) ?? []
  if (group === 'confirmText') return member !== 'v' && member !== 'button'
  if (member === undefined) return TEXTS.has(name) || GROUPS.some((known) => known === name)
  return GROUPS.some((known) => known === group) && !NO_TEXT.has(member)
}

type Columns = Pick<EventRow, 'body' | 'salts' | 'erased'>

/** The columns of the event without these fields. Their hashes stay, so the leaf is the same. */
export function withoutFields(event: EventRow, names: ReadonlySet<string>): Columns {
  const fields = [...saltedFields(event)]
  const kept = fields.filter(([name]) => !names.has(name))
  const gone = fields.flatMap(([name, [salt, value]]) =>
    names.has(name) ? [[name, hashOf(salt, value)] as const] : [],
  )
  return {
    body: JSON.stringify(bodyOf(kept.map(([name, [, value]]) => [name, value]))),
    salts: JSON.stringify(Object.fromEntries(kept.map(([name, [salt]]) => [name, salt]))),
    erased: JSON.stringify({ ...erasedIn(event), ...Object.fromEntries(gone) }),
  }
}

export async function eraseFields(trx: Trx, event: EventRow, names: ReadonlySet<string>): Promise<void> {
  const columns = withoutFields(event, names)
  await trx.updateTable('command_event').set(columns).where('sequence', '=', event.sequence).execute()
}

/** `params.reason` becomes a member of `params`. */
export function bodyOf(fields: readonly (readonly [string, unknown])[]): Values {
  const body: Record<string, unknown> = {}
  for (const [name, value] of fields) {
    const group = GROUPS.find((known) => name.startsWith(`${known}.`))
    if (group === undefined) body[name] = value
    else body[group] = { ...(body[group] as object | undefined), [name.slice(group.length + 1)]: value }
  }
  return body
}

/** By name: salt in base64, and value. Throws for a field without a salt. */
export function saltedFields({ body, salts }: Pick<EventRow, 'body' | 'salts'>) {
  const saltOf = JSON.parse(salts ?? '{}') as Readonly<Record<string, string>>
  const fields = fieldsIn(JSON.parse(body) as Values, saltOf)
  return new Map(
    [...fields].map(([name, value]) => {
      const salt = saltOf[name]
      if (salt === undefined) throw new Error(`“${name}” has no salt`)
      return [name, [salt, value] as const] as const
    }),
  )
}

const hashOf = (salt: string, value: unknown): string =>
  hash('sha256', Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(canonicalize(value) ?? '')]), 'base64')

export type EventRow = Selectable<Tables['command_event']>

export const findEvents = (db: Kysely<Tables>, commandId: string): Promise<EventRow[]> =>
  db.selectFrom('command_event').selectAll().where('command_id', '=', commandId).orderBy('sequence').execute()
