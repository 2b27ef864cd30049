import type { CommandReply, CommandView, DraftReply } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { MESSAGE_LINE } from '#lib/disputes/thread/thread.ts'
import { problemWords } from '#lib/service/problem-words.ts'

export interface Outgoing {
  /** The command id. The browser creates it, so that a retry cannot post the message twice. */
  readonly id: string
  readonly body: string
  readonly state: OutgoingState
}

export type OutgoingState =
  | { readonly step: 'sending' }
  /** The outcome is unknown, so the browser asks again with the same id. */
  | { readonly step: 'silent'; readonly problem: Problem }
  | { readonly step: 'outcome'; readonly command: CommandView }
  | { readonly step: 'not-sent'; readonly why: string }
  /** The session had ended and nothing was sent: the text goes back to the composer. */
  | { readonly step: 'returned' }

/** Null when the console could not be reached. */
export type MessageReply = CommandReply | Extract<DraftReply, { ok: false }> | null

/**
 * `again`: an earlier request had no answer and may have succeeded, so a refusal of this one does not prove that
 * nothing was sent.
 */
export function stateAfter(reply: MessageReply, again: boolean): OutgoingState {
  if (reply === null) return { step: 'silent', problem: problemOf('console-unreachable') }
  if (reply.ok) return { step: 'outcome', command: reply.command }
  const { problem } = reply
  if (problem === null) return { step: 'not-sent', why: 'fields' in reply ? Object.values(reply.fields).join(' ') : '' }
  if (again && tellsNothing(problem)) return { step: 'silent', problem }
  return problem.kind === 'session-over' ? { step: 'returned' } : { step: 'not-sent', why: problemWords(problem).title }
}

/** Session ended, request timed out, another person signed in, or too many requests. */
const TURNED_AWAY = new Set([401, 408, 409, 429])

/**
 * The console rejected the request before it looked up the command, so the answer says nothing about an earlier
 * request.
 */
const tellsNothing = ({ kind, status }: Problem): boolean =>
  kind !== 'service' || status === null || status >= 500 || TURNED_AWAY.has(status)

export function messageIdOf({ outcome }: CommandView): string | null {
  if (outcome.class !== 'done') return null
  return outcome.lines.find(({ label }) => label === MESSAGE_LINE)?.value ?? null
}
