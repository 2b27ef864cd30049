import 'server-only'
import { canView } from '#lib/commands/access.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { findEvents } from '#lib/commands/command-lists.ts'
import { findCommand } from '#lib/commands/command-table.ts'
import { wholeViewFor } from '#lib/commands/person-view.ts'
import type { Session } from '#lib/session/session.ts'
import { store } from '#lib/store/store.ts'

/** One change of a command's state, as the journal has it. */
export interface HistoryEvent {
  readonly sequence: number
  readonly at: string
  readonly state: string
  /** What the journal adds: status, code, trace id, who settled it and why. */
  readonly notes: readonly (readonly [name: string, value: string])[]
}

export interface CommandHistory {
  readonly command: CommandView
  readonly events: readonly HistoryEvent[]
}

/** In every event; the head of the page has them once. */
const COMMON = new Set(['kind', 'target', 'actorName', 'params', 'facts', 'boot', 'by'])

/** A command from its draft to its end; null when there is none that this person may see. */
export async function commandHistory(session: Session, id: string): Promise<CommandHistory | null> {
  const db = await store()
  const row = await findCommand(db, id)
  if (row === undefined || !(await canView(session, row))) return null
  const events = await findEvents(db, id)
  return {
    command: await wholeViewFor(session, row),
    events: events.map(({ sequence, at, state, body }) => ({ sequence, at, state, notes: notesOf(session, body) })),
  }
}

/** Whoever reads what they said themselves under another name, from another way of signing in, reads that it was them. */
function notesOf({ actor }: Session, body: string): HistoryEvent['notes'] {
  const told = JSON.parse(body) as Readonly<Record<string, unknown>>
  return Object.entries(told)
    .filter(([name, value]) => !COMMON.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => [name, name === 'byName' && told.by === actor ? `you (${value})` : String(value)])
}
