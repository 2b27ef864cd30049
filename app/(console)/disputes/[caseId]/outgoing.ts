import type { CommandReply, CommandView, DraftReply } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { MESSAGE_LINE } from '#lib/disputes/thread/message-text.ts'
import { problemWords } from '#lib/service/problem-words.ts'

/** A message on its way, until it stands in the thread. */
export interface Outgoing {
  /** Of the command: made here, so that asking again posts nothing twice. */
  readonly id: string
  readonly body: string
  readonly state: OutgoingState
}

export type OutgoingState =
  | { readonly step: 'sending' }
  /** Nothing tells what came of it, and why. It is asked again. */
  | { readonly step: 'silent'; readonly problem: Problem }
  | { readonly step: 'outcome'; readonly command: CommandView }
  | { readonly step: 'not-sent'; readonly why: string }
  /** Nothing was sent, since nobody is signed in: its text goes back to where it was written. */
  | { readonly step: 'returned' }

/** What the console answered to a message; null when it could not be reached. */
export type MessageReply = CommandReply | Extract<DraftReply, { ok: false }> | null

/** `again`: an earlier request had no answer, so it may have got through, and a refusal of this one tells nothing of it. */
export function stateAfter(reply: MessageReply, again: boolean): OutgoingState {
  if (reply === null) return { step: 'silent', problem: problemOf('console-unreachable') }
  if (reply.ok) return { step: 'outcome', command: reply.command }
  const { problem } = reply
  if (problem === null) return { step: 'not-sent', why: 'fields' in reply ? Object.values(reply.fields).join(' ') : '' }
  if (again && tellsNothing(problem)) return { step: 'silent', problem }
  return problem.kind === 'session-over' ? { step: 'returned' } : { step: 'not-sent', why: problemWords(problem).title }
}

/** Nobody, or somebody else, is signed in; or these are too many requests. */
const TURNED_AWAY = new Set([401, 408, 409, 429])

/** The request was turned away before anything was looked up. */
const tellsNothing = ({ kind, status }: Problem): boolean =>
  kind !== 'service' || status === null || status >= 500 || TURNED_AWAY.has(status)

/** The message of the thread that a command became; null while that is not known. */
export function messageIdOf({ outcome }: CommandView): string | null {
  if (outcome.class !== 'done') return null
  return outcome.lines.find(({ label }) => label === MESSAGE_LINE)?.value ?? null
}
