'use client'

import { useEffect, useReducer, useRef } from 'react'
import { sendAtOnce } from '#components/command/command-client.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { MESSAGE_LINE } from '#lib/disputes/thread/message-text.ts'
import { problemWords } from '#lib/service/problem-words.ts'

const ASK_AGAIN_MS = 2_500

/** A message on its way, until it stands in the thread. */
export interface Outgoing {
  /** Of the command: made here, so that asking again posts nothing twice. */
  readonly id: string
  readonly body: string
  readonly state:
    | { readonly step: 'sending' }
    /** The console itself does not answer. It is asked again. */
    | { readonly step: 'silent' }
    | { readonly step: 'outcome'; readonly command: CommandView }
    | { readonly step: 'not-sent'; readonly why: string; readonly sessionOver: boolean }
}

type Change =
  | { readonly type: 'add'; readonly entry: Outgoing }
  | { readonly type: 'state'; readonly id: string; readonly state: Outgoing['state'] }
  | { readonly type: 'drop'; readonly id: string }

function next(entries: readonly Outgoing[], change: Change): readonly Outgoing[] {
  switch (change.type) {
    case 'add':
      return [...entries, change.entry]
    case 'state':
      return entries.map((entry) => (entry.id === change.id ? { ...entry, state: change.state } : entry))
    case 'drop':
      return entries.filter(({ id }) => id !== change.id)
  }
}

export interface Outbox {
  readonly entries: readonly Outgoing[]
  send(body: string): void
  /** What a later look found. */
  showOutcome(id: string, command: CommandView): void
  drop(id: string): void
}

/** The message of the thread that a command became; null while that is not known. */
export function messageIdOf({ outcome }: CommandView): string | null {
  if (outcome.class !== 'done') return null
  return outcome.lines.find(({ label }) => label === MESSAGE_LINE)?.value ?? null
}

/** Messages of one case on their way. `onSent`: one is surely at the service. */
export function useOutbox(caseId: string, initial: readonly Outgoing[], onSent: (body: string) => void): Outbox {
  const [entries, change] = useReducer(next, initial)
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])

  const askSoon = (id: string, body: string): void => {
    setTimeout(() => (left.current ? undefined : void ask(id, body, true)), ASK_AGAIN_MS)
  }
  const ask = async (id: string, body: string, again = false): Promise<void> => {
    const reply = await sendAtOnce(id, 'dispute.message', { caseId, body })
    if (left.current) return
    if (reply === null) {
      change({ type: 'state', id, state: { step: 'silent' } })
      return askSoon(id, body)
    }
    if (reply.ok) {
      change({ type: 'state', id, state: { step: 'outcome', command: reply.command } })
      if (reply.command.outcome.class === 'done') onSent(body)
      return
    }
    const words = reply.problem === null ? null : problemWords(reply.problem)
    const why =
      'fields' in reply && reply.problem === null ? Object.values(reply.fields).join(' ') : (words?.title ?? '')
    const sessionOver = reply.problem?.kind === 'session-over'
    // An earlier request may have got through, which only somebody who is signed in can find out.
    if (sessionOver && again) askSoon(id, body)
    else change({ type: 'state', id, state: { step: 'not-sent', why, sessionOver } })
  }

  return {
    entries,
    send: (body) => {
      const id = crypto.randomUUID()
      change({ type: 'add', entry: { id, body, state: { step: 'sending' } } })
      void ask(id, body)
    },
    showOutcome: (id, command) => {
      change({ type: 'state', id, state: { step: 'outcome', command } })
      const body = entries.find((entry) => entry.id === id)?.body
      if (command.outcome.class === 'done' && body !== undefined) onSent(body)
    },
    drop: (id) => change({ type: 'drop', id }),
  }
}
