import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { loaded, loadStepUpDialog } from '#components/command/command-dialogs.tsx'
import { announceVerified } from '#components/command/verified.tsx'
import { useTopic } from '#components/frame/live-dot.tsx'
import { useAutomaticRefresh, useSessionBack } from '#components/service/session-events.ts'
import type { LimitUse, StepUpOutcome } from '#lib/commands/command.ts'
import type { LineView, StatementProgress, StatementWork } from '#lib/statements/statement-view.ts'
import type { StatementPage } from '#lib/statements/view.ts'
import {
  changeLine,
  type LineAct,
  type Started,
  type StatementFailure,
  type StatementReply,
  startConfirming,
} from '../statement-requests.ts'

export interface OpenDialog {
  readonly what: 'reference' | 'bank-reference' | 'set-aside' | 'put-back' | 'confirm'
  readonly line: LineView
}

export interface LineActs {
  readonly dialog: OpenDialog | null
  readonly fault: string | null
  readonly faultLine: number | null
  readonly busy: number | null
  open(dialog: OpenDialog): void
  close(): void
  act(line: LineView, act: LineAct): Promise<boolean>
}

/** A failure of an ended session is over when the session is back. */
export const withoutSessionOver = (failure: StatementFailure | null): StatementFailure | null =>
  failure?.cause === 'session-over' ? null : failure

/** Otherwise a refresh would lose the page and what it says. */
export const canRefreshAfter = (reply: StatementReply<unknown>): boolean => reply.ok || reply.cause === 'refused'

/** Refreshes the page after each action. `onDone` gets the line's number before the refresh. */
export function useLineActs(id: string, onDone: (line: number) => void): LineActs {
  const refresh = useAutomaticRefresh()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [failure, setFailure] = useState<StatementFailure | null>(null)
  const [faultLine, setFaultLine] = useState<number | null>(null)
  const [busy, setBusy] = useState<number | null>(null)
  const sending = useRef(new Set<number>())
  useSessionBack(() => setFailure(withoutSessionOver))
  return useMemo(
    () => ({
      dialog,
      fault: failure?.why ?? null,
      faultLine,
      busy,
      open(next) {
        setFailure(null)
        setDialog(next)
      },
      close: () => setDialog(null),
      async act(line, act) {
        if (sending.current.has(line.number)) return false
        sending.current.add(line.number)
        setBusy(line.number)
        const reply = await changeLine(id, line.number, act)
        sending.current.delete(line.number)
        setBusy((now) => (now === line.number ? null : now))
        setFailure(reply.ok ? null : reply)
        setFaultLine(line.number)
        if (reply.ok) {
          // Not a dialog that was opened since, nor an outcome.
          setDialog((now) => (now === dialog && now?.what !== 'confirm' ? null : now))
          onDone(line.number)
        }
        if (canRefreshAfter(reply)) refresh()
        return reply.ok
      },
    }),
    [id, refresh, dialog, failure, faultLine, busy, onDone],
  )
}

/** `seal` is a hash of the ready lines. The console does not start the run if they have changed. */
export interface ReadyLines extends Readonly<StatementPage['ready']> {
  /** Lines with manually entered data; the run does not include them. */
  readonly byHand: number
  readonly limits: readonly LimitUse[]
}

/** `ready` is as the operator saw it; the page may show other lines by now. */
type State =
  | { readonly step: 'idle' }
  | { readonly step: 'confirming'; readonly ready: ReadyLines }
  | {
      readonly step: 'verifying'
      readonly ready: ReadyLines
      readonly stepUp: StepUpOutcome
      readonly sending: boolean
    }

export interface ConfirmRun {
  readonly state: State
  readonly hasChanged: boolean
  open(): void
  close(): void
  /** Starts the run. `code` is the second factor, if one is needed. */
  start(code: string | null): Promise<void>
}

interface RunOptions {
  id: string
  ready: ReadyLines
  /** `served` came with the page; `work` is the latest state. */
  served: StatementWork
  work: StatementWork
  /** The second factor needed to continue a run that stopped without one. */
  goOn: StepUpOutcome | null
  onStarted: (reply: StatementReply<Started>) => void
}

/** Asks for a second factor before the run if one is needed, and again if the run stops for lack of one. */
export function useConfirmRun({ id, ready, served, work, goOn, onStarted }: RunOptions): ConfirmRun {
  const [state, setState] = useState<State>({ step: 'idle' })
  /** The number of the run that this page started. */
  const started = useRef<number | null>(null)
  const start = async (code: string | null) => {
    if (state.step === 'idle') return
    setState((now) => (now.step === 'verifying' ? { ...now, sending: true } : now))
    const reply = await startConfirming(id, state.ready.seal, code)
    if (reply.ok && reply.value.verifiedUntil !== undefined) announceVerified(reply.value.verifiedUntil)
    if (reply.ok && reply.value.wanted !== undefined) {
      await loaded(loadStepUpDialog)
      return setState({ step: 'verifying', stepUp: reply.value.wanted, sending: false, ready: state.ready })
    }
    setState({ step: 'idle' })
    started.current = reply.ok ? work.run + 1 : null
    onStarted(reply)
  }
  const look = useEffectEvent((work: StatementWork, served: StatementWork) => {
    // Waits until the server's render matches the final state, so that the page shows the remaining lines.
    const over = work.work === null && work.wantsCode && JSON.stringify(work) === JSON.stringify(served)
    const isTyping = document.activeElement?.closest('input, textarea, [role="dialog"]')
    if (!over || work.run !== started.current || goOn === null || isTyping) return
    started.current = null
    setState((now) => (now.step === 'idle' ? { step: 'verifying', stepUp: goOn, sending: false, ready } : now))
  })
  useEffect(() => look(work, served), [work, served])
  return {
    state,
    hasChanged: state.step === 'confirming' && state.ready.seal !== ready.seal,
    open: () => setState({ step: 'confirming', ready }),
    close: () => setState({ step: 'idle' }),
    start,
  }
}

const REFRESH_MS = 3_000

/** Until the page shows the lines after the work. `served` came with the lines. */
export const isBusy = (work: StatementWork, served: StatementWork): boolean =>
  work.work !== null || served.work !== null || work.run !== served.run

/** Shows the work on a statement while the page is visible, and refreshes the lines when it progresses. */
export function useWork(id: string, shown: StatementProgress): { work: StatementWork; busy: boolean } {
  const refreshNow = useAutomaticRefresh()
  const [work, setWork] = useState(shown.work)
  const served = JSON.stringify(shown)
  const [last, setLast] = useState(served)
  if (last !== served) {
    setLast(served)
    setWork(shown.work)
  }
  const refreshedAt = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const refresh = () => {
    timer.current = undefined
    refreshedAt.current = Date.now()
    refreshNow()
  }
  useTopic<StatementProgress>(`statement ${id}`, (now) => {
    setWork(now.work)
    if (JSON.stringify(now) === served) return
    const over = now.work.work === null && work.work !== null
    clearTimeout(timer.current)
    timer.current = setTimeout(refresh, over ? 0 : Math.max(0, refreshedAt.current + REFRESH_MS - Date.now()))
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return { work, busy: isBusy(work, shown.work) }
}
