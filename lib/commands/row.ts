import 'server-only'
import type { Selectable } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'

/** `closed`: ended unsent. */
export const commandStates = [
  'draft',
  'awaiting_approval',
  'sent',
  'challenged',
  'done',
  'accepted',
  'refused',
  'unknown',
  'applied',
  'not_applied',
  'closed',
] as const

export type CommandState = (typeof commandStates)[number]

export type CommandRow = Selectable<Tables['command']>

/** In place of a text that other columns need. The database accepts no other change of a note or a reason. */
export const ERASED = '(erased)'

/** At most one open command holds a key. After an effect, `permanent` keeps it. */
export interface LockKey {
  readonly key: string
  readonly permanent: boolean
}

export interface LockHolder extends Pick<CommandRow, 'actor' | 'method' | 'target' | 'state' | 'kind'> {
  readonly key: string
  readonly commandId: string
  readonly actorName: string
  readonly sentAt: string | null
}

export type Note = Readonly<Record<string, unknown>> & { readonly traceId?: string | null }

export const factsOf = (row: Pick<CommandRow, 'facts'>): Readonly<Record<string, string>> =>
  JSON.parse(row.facts) as Readonly<Record<string, string>>

export const paramsOf = (row: Pick<CommandRow, 'params'>): unknown => JSON.parse(row.params)

/** Null for actors of older versions, some of which are e-mail addresses. */
export const userIdOf = (actor: string): string | null => (actor.startsWith('sso:') ? actor.slice('sso:'.length) : null)
