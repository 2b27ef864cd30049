import { useEffect, useReducer, useRef } from 'react'
import { sendAtOnce } from '#components/command/command-client.ts'
import { holdPage } from '#components/frame/leave-guard.ts'
import type { CommandView } from '#lib/commands/command.ts'
import { type Outgoing, stateAfter } from './outgoing.ts'

const ASK_AGAIN_MS = 2_500

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
  showOutcome(id: string, command: CommandView): void
  drop(id: string): void
}

interface OutboxOptions {
  readonly caseId: string
  /** The actor for whom the page was rendered. The console refuses to send in another person's name. */
  readonly owner: string
  /** Earlier messages with an unknown outcome. */
  readonly initial: readonly Outgoing[]
  /** The service has the message. */
  onSent(body: string): void
  /** The message was not sent, because the session had ended. */
  onReturned(body: string): void
}

export function useOutbox({ caseId, owner, initial, onSent, onReturned }: OutboxOptions): Outbox {
  const [entries, change] = useReducer(next, initial)
  const left = useRef(false)
  useEffect(() => {
    left.current = false
    return () => {
      left.current = true
    }
  }, [])
  const silent = entries.some(({ state }) => state.step === 'silent')
  // Only this page knows the id with which to ask for the outcome, so leaving it needs confirmation.
  useEffect(() => (silent ? holdPage({ holds: () => true }) : undefined), [silent])

  const ask = async (id: string, body: string, again = false): Promise<void> => {
    const reply = await sendAtOnce({ id, owner, kind: 'dispute.message', params: { caseId, body } })
    if (left.current) return
    const state = stateAfter(reply, again)
    if (state.step === 'returned') {
      change({ type: 'drop', id })
      return onReturned(body)
    }
    change({ type: 'state', id, state })
    if (state.step === 'outcome' && state.command.outcome.class === 'done') onSent(body)
    if (state.step === 'silent') setTimeout(() => (left.current ? undefined : void ask(id, body, true)), ASK_AGAIN_MS)
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
