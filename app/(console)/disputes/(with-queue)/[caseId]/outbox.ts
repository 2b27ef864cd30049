import { useEffect, useEffectEvent, useReducer } from 'react'
import { sendAtOnce } from '#components/command/command-client.ts'
import { guardUnload } from '#components/frame/leave-guard.ts'
import { useIsHere } from '#components/ui/hydrated.tsx'
import { serverNowMs } from '#components/values/timestamp.tsx'
import type { CommandReply, CommandView, DraftReply } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { isAmong } from '#lib/disputes/resolution.ts'
import { MESSAGE_LINE, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { problemWords } from '#lib/service/problem-words.ts'

export interface Outgoing {
  /** The command id. The browser creates it, so that a retry cannot post the message twice. */
  readonly id: string
  readonly body: string
  /** ISO 8601; the body ends with it. */
  readonly answerBy?: string
  readonly state: OutgoingState
  /** By the server's clock. */
  readonly answeredAtMs: number
  /** How many own messages of the thread had the same text before. */
  readonly earlier?: number
}

type OutgoingState =
  | { readonly step: 'sending' }
  /** The outcome is unknown, so the browser asks again with the same id. */
  | { readonly step: 'silent'; readonly problem: Problem }
  | { readonly step: 'outcome'; readonly command: CommandView }
  | { readonly step: 'not-sent'; readonly why: string; readonly problem: Problem | null }
  /** The session had ended and nothing was sent: the text goes back to the composer. */
  | { readonly step: 'returned' }

/** Null when the console could not be reached. */
export type MessageReply = CommandReply | Extract<DraftReply, { ok: false }> | null

/** `again`: an earlier request had no answer, so a refusal of this one does not prove that nothing was sent. */
export function stateAfter(reply: MessageReply, again: boolean): OutgoingState {
  if (reply === null) return { step: 'silent', problem: problemOf('console-unreachable') }
  if (reply.ok) return { step: 'outcome', command: reply.command }
  const { problem } = reply
  if (problem === null) {
    const why = 'fields' in reply ? Object.values(reply.fields).join(' ') : ''
    return { step: 'not-sent', why, problem }
  }
  if (again && tellsNothing(problem)) return { step: 'silent', problem }
  if (problem.kind === 'session-over') return { step: 'returned' }
  return { step: 'not-sent', why: problemWords(problem).title, problem }
}

/** Session ended, request timed out, another person signed in, or too many requests. */
const TURNED_AWAY = new Set([401, 408, 409, 429])

/** Rejected before the command was looked up, so the answer says nothing about an earlier request. */
const tellsNothing = ({ kind, status }: Problem): boolean =>
  kind !== 'service' || status === null || status >= 500 || TURNED_AWAY.has(status)

function messageIdOf({ state }: Outgoing): string | null {
  const outcome = state.step === 'outcome' ? state.command.outcome : null
  if (outcome?.class !== 'done') return null
  return outcome.lines.find(({ label }) => label === MESSAGE_LINE)?.value.toLowerCase() ?? null
}

type Thread = readonly ThreadMessage[]

const countSame = (messages: Thread, me: string | null, body: string): number =>
  messages.filter((one) => one.senderUserId !== null && isAmong(me, [one.senderUserId]) && one.body === body).length

/** Without those that the thread shows. The stream may have a message before its request is answered. */
export function stillOutgoing(entries: readonly Outgoing[], messages: Thread, me: string | null): readonly Outgoing[] {
  const answered = new Set(entries.map(messageIdOf))
  const there = new Set(messages.map(({ id }) => id.toLowerCase()))
  const others = messages.filter(({ id }) => !answered.has(id.toLowerCase()))
  const ahead = new Map<string, number>()
  return entries.filter((entry) => {
    const [id, { body, earlier = 0 }] = [messageIdOf(entry), entry]
    if (id !== null) return !there.has(id)
    if (entry.state.step !== 'sending' && entry.state.step !== 'silent') return true
    const before = earlier + (ahead.get(body) ?? 0)
    ahead.set(body, (ahead.get(body) ?? 0) + 1)
    return countSame(others, me, body) <= before
  })
}

const ASK_AGAIN_MS = 2_500

type Change =
  | { readonly type: 'add'; readonly entry: Outgoing }
  | { readonly type: 'state'; readonly id: string; readonly state: Outgoing['state']; readonly atMs: number }
  | { readonly type: 'drop'; readonly id: string }

function next(entries: readonly Outgoing[], change: Change): readonly Outgoing[] {
  switch (change.type) {
    case 'add':
      return [...entries, change.entry]
    case 'state':
      return entries.map((entry) =>
        entry.id === change.id ? { ...entry, state: change.state, answeredAtMs: change.atMs } : entry,
      )
    case 'drop':
      return entries.filter(({ id }) => id !== change.id)
  }
}

type NewMessage = Pick<Outgoing, 'body' | 'answerBy'>

/** The service has the message. */
export const isDone = ({ state }: Pick<Outgoing, 'state'>): boolean =>
  state.step === 'outcome' && state.command.outcome.class === 'done'

const messageOf = ({ body, answerBy }: Outgoing): NewMessage => (answerBy === undefined ? { body } : { body, answerBy })

/** Messages that are not known to be sent, by owner and case, for pages that are left and come back. */
const unsettled = new Map<string, readonly Outgoing[]>()
const keyOf = (owner: string, caseId: string): string => `${owner} ${caseId.toLowerCase()}`

function keepUnsettled(key: string, entries: readonly Outgoing[]): void {
  const left = entries.filter((entry) => !isDone(entry) && entry.state.step !== 'returned')
  unsettled.set(key, left)
}

export const withUnsettled = (open: readonly Outgoing[], owner: string, caseId: string): readonly Outgoing[] => [
  ...open,
  ...(unsettled.get(keyOf(owner, caseId)) ?? []).filter(({ id }) => open.every((one) => one.id !== id)),
]

interface Outbox {
  readonly entries: readonly Outgoing[]
  send(message: NewMessage): void
  /** As another message, because the first is known to have failed. */
  sendAgain(entry: Outgoing): void
  showOutcome(id: string, command: CommandView): void
  drop(id: string): void
}

interface OutboxOptions {
  readonly caseId: string
  /** The actor for whom the page was rendered. The console refuses to send in another person's name. */
  readonly owner: string
  /** The operator's own id at the service. */
  readonly me: string | null
  readonly messages: Thread
  /** Earlier messages with an unknown outcome. */
  readonly initial: readonly Outgoing[]
  /** The service has the message. */
  onSent(body: string): void
  /** {@link onSent} after the page was left. */
  onSentSince(body: string): void
  /** The message was not sent, because the session had ended. */
  onReturned(body: string): void
}

export function useOutbox(options: OutboxOptions): Outbox {
  const { caseId, owner, me, messages, initial, onSent, onSentSince, onReturned } = options
  const [entries, change] = useReducer(next, initial)
  const isHere = useIsHere()
  const key = keyOf(owner, caseId)
  useEffect(() => keepUnsettled(key, entries), [key, entries])
  const silent = stillOutgoing(entries, messages, me).some(({ state }) => state.step === 'silent')
  // Only this page knows the id with which to ask for the outcome, so leaving it needs confirmation.
  useEffect(() => (silent ? guardUnload({ holds: () => true }) : undefined), [silent])

  const ask = async (id: string, message: NewMessage, again = false): Promise<void> => {
    const { body } = message
    const reply = await sendAtOnce({ id, owner, kind: 'dispute.message', params: { caseId, ...message } })
    const state = stateAfter(reply, again)
    const isSent = isDone({ state })
    if (!isHere()) {
      keepUnsettled(key, next(unsettled.get(key) ?? [], { type: 'state', id, state, atMs: serverNowMs() }))
      return isSent ? onSentSince(body) : undefined
    }
    if (state.step === 'returned') {
      change({ type: 'drop', id })
      return onReturned(body)
    }
    change({ type: 'state', id, state, atMs: serverNowMs() })
    if (isSent) onSent(body)
    if (state.step === 'silent') setTimeout(() => (isHere() ? void ask(id, message, true) : undefined), ASK_AGAIN_MS)
  }

  const askOfLeft = useEffectEvent(() => {
    for (const entry of initial) {
      const { id, state } = entry
      const isOpen = state.step === 'sending' || state.step === 'silent'
      if (isOpen) void ask(id, messageOf(entry), true)
    }
  })
  useEffect(() => askOfLeft(), [])

  const send = (message: NewMessage) => {
    const id = crypto.randomUUID()
    const earlier = countSame(messages, me, message.body)
    change({ type: 'add', entry: { id, ...message, state: { step: 'sending' }, answeredAtMs: 0, earlier } })
    void ask(id, message)
  }
  return {
    entries,
    send,
    sendAgain: (entry) => {
      change({ type: 'drop', id: entry.id })
      send(messageOf(entry))
    },
    showOutcome: (id, command) => {
      change({ type: 'state', id, state: { step: 'outcome', command }, atMs: serverNowMs() })
      const body = entries.find((entry) => entry.id === id)?.body
      if (command.outcome.class === 'done' && body !== undefined) onSent(body)
    },
    drop: (id) => change({ type: 'drop', id }),
  }
}
