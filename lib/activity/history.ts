import 'server-only'
import { canView } from '#lib/commands/access.ts'
import type { CommandView, Line } from '#lib/commands/command.ts'
import { textOf } from '#lib/commands/confirm-text.ts'
import type { CommandRow } from '#lib/commands/row.ts'
import { findCommand } from '#lib/commands/store.ts'
import { actorWords, wholeViewFor } from '#lib/commands/view.ts'
import { type EventRow, findEvents } from '#lib/journal/event.ts'
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

export interface CommandHistory {
  readonly command: CommandView
  /** What the author was shown for confirmation. */
  readonly summary: readonly Line[]
  readonly events: readonly HistoryEvent[]
}

/** The page header shows these, or they are not for display. */
const COMMON = new Set([
  'confirmText',
  'evidence',
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

/** Null if it does not exist or the person may not see it. */
export async function commandHistory(session: Session, id: string): Promise<CommandHistory | null> {
  const db = await store()
  const row = await findCommand(db, id)
  if (row === undefined || !(await canView(session, row))) return null
  const events = await findEvents(db, id)
  return {
    command: await wholeViewFor(session, row),
    summary: summaryOf(row),
    events: events.map((event) => eventOf(session, row, event)),
  }
}

function summaryOf(row: CommandRow): readonly Line[] {
  const lines = textOf(row)?.lines ?? []
  const effect: Line[] = row.effect === null ? [] : [{ label: 'Fingerprint', value: row.effect, as: 'reference' }]
  return lines.length === 0 ? [] : [...lines, ...effect]
}

const ACTS = new Set(['draft', 'awaiting_approval', 'sent'])
const DECISIONS = ['approved', 'declined'] as const

function eventOf(session: Session, row: CommandRow, { sequence, at, state, body }: EventRow): HistoryEvent {
  const parsed = JSON.parse(body) as Readonly<Record<string, unknown>>
  const by = byWhom(session, parsed) ?? (isByAuthor(state) ? actorWords(session, row) : null)
  return { sequence, at, ...shownEvent(state, parsed), by }
}

export const isByAuthor = (state: string): boolean => ACTS.has(state)

export const isNote = (name: string): boolean => !COMMON.has(name)

export function shownEvent(
  state: string,
  body: Readonly<Record<string, unknown>>,
): Pick<HistoryEvent, 'state' | 'notes'> {
  const isCancelled = body.cancelled === true
  const decision = DECISIONS.find((known) => known === body.decision)
  const notes = Object.entries(body)
    .filter(([name, value]) => isNote(name) && value !== null && value !== undefined)
    .filter(([name]) => !isCancelled || (name !== 'cancelled' && name !== 'why'))
    .filter(([name]) => decision === undefined || name !== 'decision')
    .map(([name, value]) => [name, noteText(value)] as const)
  return { state: isCancelled ? 'cancelled' : (decision ?? state), notes }
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
