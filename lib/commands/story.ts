import 'server-only'
import type { CommandView } from '#lib/domain/command.ts'
import type { Session } from '#lib/session/session.ts'
import { findEvents } from '#lib/store/command-lists.ts'
import { findCommand } from '#lib/store/commands.ts'
import { store } from '#lib/store/store.ts'
import { seesChange } from './change-sight.ts'
import { withKept } from './kept-words.ts'

/** One change of a command's state, as the journal has it. */
export interface StoryEvent {
  readonly sequence: number
  readonly at: string
  readonly state: string
  /** What the journal adds: status, code, trace id, who settled it and why. */
  readonly notes: readonly (readonly [name: string, value: string])[]
}

export interface Story {
  readonly command: CommandView
  readonly events: readonly StoryEvent[]
}

/** In every event; the head of the page has them once. */
const COMMON = new Set(['kind', 'target', 'actorName', 'params', 'facts', 'boot', 'by'])

/** A command from its draft to its end; null when there is none that this person may see. */
export async function commandStory(session: Session, id: string): Promise<Story | null> {
  const db = await store()
  const row = await findCommand(db, id)
  if (row === undefined || !(await seesChange(session, row))) return null
  const events = await findEvents(db, id)
  return {
    command: await withKept(session, row),
    events: events.map(({ sequence, at, state, body }) => ({ sequence, at, state, notes: notesOf(body) })),
  }
}

const notesOf = (body: string): StoryEvent['notes'] =>
  Object.entries(JSON.parse(body) as Record<string, unknown>)
    .filter(([name, value]) => !COMMON.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => [name, String(value)])
