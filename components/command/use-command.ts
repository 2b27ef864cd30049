'use client'

import { useRef, useState } from 'react'
import type { Problem } from '#lib/contract/problem.ts'
import type { CommandKindName, CommandReply, CommandView, DraftView } from '#lib/domain/command.ts'
import { draft, execute, withdraw } from './door.ts'
import { useLooking } from './use-looking.ts'

type State =
  | { readonly step: 'idle' }
  | { readonly step: 'checking' }
  /** Waits for the person. `sending` while their confirmation is on its way. */
  | { readonly step: 'confirming'; readonly draft: DraftView; readonly sending: boolean }
  | { readonly step: 'told'; readonly command: CommandView }
  | { readonly step: 'problem'; readonly problem: Problem }

export interface Command {
  readonly state: State
  /** Field name to what is wrong with it. */
  readonly faults: Readonly<Record<string, string>>
  /** When an open outcome is looked at next; milliseconds since 1970. */
  readonly nextLookAt: number | null
  prepare(kind: CommandKindName, params: unknown): void
  confirm(): void
  cancel(): void
}

const CONSOLE_SILENT: Problem = {
  kind: 'unreachable',
  status: null,
  code: null,
  title: null,
  traceId: null,
  retryAfterSeconds: null,
  scope: null,
}

const ASK_AGAIN_MS = 2_500

/**
 * One change from the browser: draft, confirm, outcome. `onMoved` is called when something at the service is known to
 * have changed, so that what the page shows is old.
 */
export function useCommand(initial: CommandView | null, onMoved: () => void): Command {
  const [state, setState] = useState<State>(initial === null ? { step: 'idle' } : { step: 'told', command: initial })
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const busy = useRef(false)

  const tell = (command: CommandView) => {
    setState({ step: 'told', command })
    if (command.outcome.class === 'done' || command.outcome.class === 'changed') onMoved()
  }
  const nextLookAt = useLooking(state.step === 'told' ? state.command : null, tell)

  /** One at a time: a double click, or Enter held down, starts nothing twice. */
  const alone = async (work: () => Promise<void>) => {
    if (busy.current) return
    busy.current = true
    await work().finally(() => {
      busy.current = false
    })
  }

  const prepare = (kind: CommandKindName, params: unknown) =>
    alone(async () => {
      setFaults({})
      setState({ step: 'checking' })
      const reply = await draft(kind, params)
      if (reply === null) return setState({ step: 'problem', problem: CONSOLE_SILENT })
      if (reply.ok) return setState({ step: 'confirming', draft: reply.draft, sending: false })
      setFaults(reply.fields)
      setState(reply.problem === null ? { step: 'idle' } : { step: 'problem', problem: reply.problem })
    })

  const confirm = (confirmed: DraftView) =>
    alone(async () => {
      setState({ step: 'confirming', draft: confirmed, sending: true })
      // No answer does not mean no effect. Taking the draft back tells for certain whether it went out.
      const reply = (await execute(confirmed.id)) ?? (await withdrawUntilAnswered(confirmed.id))
      if (reply.ok) tell(reply.command)
      else setState({ step: 'problem', problem: reply.problem })
    })

  return {
    state,
    faults,
    nextLookAt,
    prepare: (kind, params) => void prepare(kind, params),
    confirm: () => void (state.step === 'confirming' && confirm(state.draft)),
    cancel: () => {
      if (state.step !== 'confirming' || state.sending) return
      void withdraw(state.draft.id)
      setState({ step: 'idle' })
    },
  }
}

async function withdrawUntilAnswered(id: string): Promise<CommandReply> {
  for (;;) {
    const reply = await withdraw(id)
    if (reply !== null) return reply
    await new Promise((done) => setTimeout(done, ASK_AGAIN_MS))
  }
}
