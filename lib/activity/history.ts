import 'server-only'
import { canView } from '#lib/commands/access.ts'
import type { Line } from '#lib/commands/command.ts'
import { mayAskToErase } from '#lib/commands/erase-text.ts'
import { textOf } from '#lib/commands/kind.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { findCommand } from '#lib/commands/store.ts'
import { actorWords, wholeViewFor } from '#lib/commands/view.ts'
import { type EventRow, erasedBy, findEvents } from '#lib/journal/event.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'

export interface HistoryEvent {
  readonly sequence: number
  readonly at: string
  /** The command's state, or `cancelled`. */
  readonly state: string
  /** Null for an act of the console itself. */
  readonly by: string | null
  /** Status, code, trace id, and who settled it and why. */
  readonly notes: readonly (readonly [name: string, value: string])[]
}

/** The page header shows these, or they are not for display. */
const COMMON = new Set([
  'confirmText',
  'evidence',
  'erased',
  'expiresAt',
  'kind',
  'target',
  'actorName',
  'params',
  'facts',
  'effect',
  'policy',
  'boot',
  'judged',
  'enteredBy',
  'assertedAt',
  'by',
  'byName',
])

/** Null if it does not exist or the person may not see it. `erasable`: the person may ask for its erasure. */
export async function commandHistory(session: Session, id: string) {
  const db = await store()
  const row = await findCommand(db, id)
  if (row === undefined || !(await canView(session, row))) return null
  const events = await findEvents(db, id)
  const erasedAt = events.findLast((event) => Object.keys(erasedBy(event)).length > 0)?.at ?? null
  return {
    command: await wholeViewFor(session, row),
    summary: summaryOf(row, erasedAt),
    events: events.map((event, at) => eventOf(session, row, { ...event, isFirst: at === 0 })),
    erasedAt,
    erasable: await mayAskToErase(session, row, events),
  }
}

function summaryOf(row: CommandRow, erasedAt: string | null): readonly Line[] {
  const erased: Line[] = erasedAt === null ? [] : [{ label: 'Text erased', value: erasedAt, as: 'time' }]
  const lines = [...erased, ...(textOf(row)?.lines ?? [])]
  const effect: Line[] = row.effect === null ? [] : [{ label: 'Fingerprint', value: row.effect, as: 'reference' }]
  return lines.length === 0 ? [] : [...lines, ...effect]
}

const ACTS = new Set(['draft', 'awaiting_approval', 'sent'])
const DECISIONS = ['approved', 'declined'] as const

type Placed = EventRow & { readonly isFirst: boolean }

function eventOf(session: Session, row: CommandRow, { sequence, at, state, body, isFirst }: Placed): HistoryEvent {
  const parsed = JSON.parse(body) as Body
  const by = byWhom(session, parsed) ?? (isByAuthor(state, parsed, isFirst) ? actorWords(session, row) : null)
  return { sequence, at, ...shownEvent(state, parsed), by }
}

export const isNote = (name: string): boolean => !COMMON.has(name)

type Body = Readonly<Record<string, unknown>>

const isErasure = (body: Body): boolean => body.erased !== undefined

/** An act without a confirmation begins with its end. */
export const isByAuthor = (state: string, body: Body, isFirst: boolean): boolean =>
  (ACTS.has(state) || (isFirst && state === 'done')) && !isErasure(body) && body.asksToRead === undefined

export function shownEvent(state: string, body: Body): Pick<HistoryEvent, 'state' | 'notes'> {
  const isCancelled = body.cancelled === true
  const decision = DECISIONS.find((known) => known === body.decision)
  const act = isErasure(body) ? 'erased' : decision
  const notes = Object.entries(body)
    .filter(([name, value]) => isNote(name) && value !== null && value !== undefined)
    .filter(([name]) => !isCancelled || (name !== 'cancelled' && name !== 'why'))
    .filter(([name]) => decision === undefined || name !== 'decision')
    .map(([name, value]) => [name, noteText(value)] as const)
  return { state: isCancelled ? 'cancelled' : (act ?? state), notes }
}

/** A passkey is shown by its name; the journal event has the full value for verification. */
function noteText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return value.map(noteText).join(', ')
  return 'name' in value ? String(value.name) : JSON.stringify(value)
}

/** The reader may have acted under the name of another sign-in method. */
function byWhom({ actor }: Session, { by, byName }: Readonly<Record<string, unknown>>): string | null {
  if (typeof byName !== 'string') return null
  return by === actor ? `you (${byName})` : byName
}
