import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { loaded, loadStepUpDialog } from '#components/command/dialog-scripts.ts'
import { announceVerified } from '#components/command/verified.ts'
import type { StepUpOutcome } from '#lib/commands/command.ts'
import type { StatementWork } from '#lib/statements/statement-view.ts'
import { type Asked, type Started, startConfirming } from '../statement-requests.ts'

type State =
  | { readonly step: 'idle' }
  /** Waits for the person. */
  | { readonly step: 'confirming' }
  /** Waits for a second factor. */
  | { readonly step: 'verifying'; readonly wanted: StepUpOutcome; readonly sending: boolean }

export interface ConfirmRun {
  readonly state: State
  open(): void
  close(): void
  /** Starts the run, with a code where one is asked for. */
  start(code: string | null): Promise<void>
}

interface RunOptions {
  id: string
  /** Stands for the lines that are shown as ready. */
  seal: string
  /** As the page was served, and as it is by now. */
  served: StatementWork
  work: StatementWork
  /** What the rest of a run waits for that ended for want of a code. */
  goOn: StepUpOutcome | null
  onStarted: (asked: Asked<Started>) => void
}

/** Confirming all ready lines: the summary, the code where one is wanted, and once more when a run ends for want of one. */
export function useConfirmRun({ id, seal, served, work, goOn, onStarted }: RunOptions): ConfirmRun {
  const [state, setState] = useState<State>({ step: 'idle' })
  /** The person is there while it runs. */
  const seen = useRef(false)
  const start = async (code: string | null) => {
    setState((now) => (now.step === 'verifying' ? { ...now, sending: true } : now))
    const asked = await startConfirming(id, seal, code)
    if (asked.ok && asked.value.verifiedUntil !== undefined) announceVerified(asked.value.verifiedUntil)
    if (asked.ok && asked.value.wanted !== undefined) {
      await loaded(loadStepUpDialog)
      return setState({ step: 'verifying', wanted: asked.value.wanted, sending: false })
    }
    setState({ step: 'idle' })
    seen.current = asked.ok
    onStarted(asked)
  }
  const look = useEffectEvent((work: StatementWork, served: StatementWork) => {
    if (work.work === 'confirm') seen.current = true
    // Once the page has come anew, it shows the lines that are left.
    const over = work.work === null && work.wantsCode && JSON.stringify(work) === JSON.stringify(served)
    if (!over || !seen.current || goOn === null) return
    seen.current = false
    setState((now) => (now.step === 'idle' ? { step: 'verifying', wanted: goOn, sending: false } : now))
  })
  useEffect(() => look(work, served), [work, served])
  return { state, open: () => setState({ step: 'confirming' }), close: () => setState({ step: 'idle' }), start }
}
