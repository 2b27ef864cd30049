import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { subscribe } from '#components/stream/subscribe.ts'
import { serverNowMs, useTimesWorded } from '#components/values/timestamp.tsx'
import {
  type CommandReply,
  type CommandView,
  type DraftReply,
  type DraftView,
  nextReadMs,
  type Once,
  type StepUpOutcome,
} from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import {
  type ApprovalRequest,
  askApproval,
  type Confirmation,
  cancel,
  draft,
  draftAgain,
  execute,
  handleUnseen,
  NOT_LOADED,
  readCommand,
  settle,
  withdrawUnanswered,
} from './command-client.ts'
import { loadConfirmDialog, loaded, loadStepUpDialog } from './command-dialogs.tsx'
import type { Command, CommandState, InFlight } from './command-state.ts'
import type { PasskeyResult } from './passkey.ts'
import { announceVerified } from './verified.tsx'

const NO_REFUSAL: Pick<Command, 'faults' | 'heldBy'> = { faults: {}, heldBy: null }

const CONSOLE_SILENT = problemOf('console-unreachable')

const NOT_KNOWN =
  'The console did not answer, so it is not known whether this was sent. You can send it again: it is made only once.'

const UNDER_WAY: readonly CommandView['outcome']['class'][] = ['approval', 'step-up', 'accepted', 'unknown']

const MOVED: readonly CommandView['outcome']['class'][] = ['done', 'changed', 'failed']

const proofOf = (typed: string): Confirmation => (typed === '' ? {} : { proof: typed })

const acknowledging = (mark: string | null): Confirmation => (mark === null ? {} : { acknowledged: mark })

type OnMoved = (command: CommandView) => void

/** `onMoved`: something changed at the service. `loadOutcome`: of pages that load the outcome's code on demand. */
export function useCommand(
  initial: CommandView | null,
  onMoved: OnMoved,
  loadOutcome?: () => Promise<unknown>,
): Command {
  const { setState, answer, takeAnswer, showOutcome, showProblem, showNotice, ...shown } = useShown(initial, onMoved)
  const { state } = shown
  const [refusal, setRefusal] = useRefusal()
  const alone = useOneAtATime()
  /** What the operator typed or read for the change that is under way. */
  const given = useRef<Confirmation>({})

  const current = state.step === 'outcome' ? state.command : null

  const { inFlight, send } = useSending({ setState, answer, showOutcome, showProblem })

  const prepare = async (drafting: () => Promise<DraftReply | null>, code?: string, kept?: CommandView) => {
    setRefusal(NO_REFUSAL)
    setState({ step: 'checking' })
    given.current = {}
    const reply = await drafting()
    if (reply === null) return showProblem(CONSOLE_SILENT, kept)
    if (!reply.ok) {
      setRefusal({ faults: reply.fields, heldBy: reply.heldBy ?? null })
      return reply.problem === null ? setState(refusedState(reply.fields, kept)) : showProblem(reply.problem, kept)
    }
    if (reply.draft.immediate) return await send(reply.draft, code === undefined ? {} : { code })
    await loaded(() => Promise.all([loadConfirmDialog(), loadOutcome?.()]))
    setState({ step: 'confirming', draft: reply.draft, sending: false, before: kept })
  }

  const confirm = async (confirming: Confirming, proof: string) => {
    setState({ ...confirming, sending: true })
    given.current = { ...given.current, ...proofOf(proof) }
    await send(confirming.draft, given.current, confirming.before)
  }

  const verify = async (waiting: Extract<CommandState, { step: 'verifying' }>, code: string | null) => {
    setState({ ...waiting, sending: true })
    const proof = await proofFor({ id: waiting.command.id, need: waiting.stepUp.need, code })
    if (proof.ok) return await send(waiting.command, { ...given.current, ...proof.value }, waiting.before)
    setState({ ...waiting, stepUp: { ...waiting.stepUp, rejected: true, advice: proof.words }, sending: false })
  }

  const answered = (reply: CommandReply | null) => {
    if (!reply?.ok) return showNotice(reply)
    takeAnswer(reply, current)
  }

  const aboutCurrent = (act: (id: string) => Promise<CommandReply | null>) => {
    if (current !== null) void alone(async () => answered(await act(current.id)))
  }

  return {
    ...shown,
    inFlight,
    ...refusal,
    prepare: (kind, params, code) => void alone(() => prepare(() => draft(kind, params), code)),
    prepareBy: (drafting) => void alone(() => prepare(drafting)),
    askAgain: () => {
      if (current !== null) void alone(() => prepare(() => draftAgain(current.id), undefined, current))
    },
    confirm: (proof) => {
      if (state.step === 'confirming') void alone(() => confirm(state, proof))
    },
    ask: (reason, proof) => {
      if (state.step !== 'confirming') return
      setState({ ...state, sending: true, problem: null })
      void alone(async () => {
        const waiting = (problem: Problem) => setState({ ...state, sending: true, problem })
        const reply = await requestApproval(state.draft.id, { reason, proof }, waiting)
        // The dialog stays, with the reason in it.
        if (!reply.ok) return setState({ ...state, sending: false, problem: reply.problem })
        if (reply.command.outcome.class === 'prepared') {
          return setState({ ...state, sending: false, problem: CONSOLE_SILENT })
        }
        answered(reply)
      })
    },
    verify: (code) => {
      if (state.step === 'verifying') void alone(() => verify(state, code))
      if (current !== null) void alone(() => send(current, {}, current))
    },
    sendApproved: (acknowledged) => {
      given.current = acknowledging(acknowledged)
      if (current !== null) void alone(async () => setState(await confirmingApproved(current)))
    },
    cancel: () => {
      if ((state.step !== 'confirming' && state.step !== 'verifying') || state.sending) return aboutCurrent(cancel)
      const { before = null } = state
      const { id } = state.step === 'verifying' ? state.command : state.draft
      setState(firstState(before))
      // An approved change stays.
      if (id !== before?.id) void cancel(id)
    },
    reconcileNow: () => aboutCurrent((id) => readCommand(id, true)),
    settle: (happened, why) => aboutCurrent((id) => settle(id, happened, why)),
    handleUnseen: (act, why) => aboutCurrent((id) => handleUnseen(id, act, why)),
  }
}

function useSending({ setState, answer, showOutcome, showProblem }: Showing) {
  const unansweredAs = (id: string) => (problem: Problem) => setState({ step: 'unanswered', id, problem })
  const { inFlight, executeUntilKnown } = useExecution(unansweredAs)
  const send = async (sent: Sent, confirmation: Confirmation, before?: CommandView) => {
    const { reply, wasLost } = await executeUntilKnown(sent, confirmation, before?.id === sent.id)
    if (!reply.ok) return showProblem(reply.problem, before)
    if (reply.verifiedUntil !== undefined) announceVerified(reply.verifiedUntil)
    const { command, once = null } = reply
    const notice = wasLost && command.outcome.class === 'approval' ? NOT_KNOWN : null
    if (command.outcome.class !== 'step-up') return answer(() => showOutcome(command, once, notice))
    await loaded(loadStepUpDialog)
    setState({ step: 'verifying', command, stepUp: command.outcome, sending: false, before })
  }
  return { inFlight, send }
}

type Showing = Pick<ReturnType<typeof useShown>, 'setState' | 'answer' | 'showOutcome' | 'showProblem'>

function displayedStateOf({ outcome, keeps = null, dismissible }: CommandView): string {
  const approvals = outcome.class === 'approval' ? outcome.approvedBy.length : null
  return JSON.stringify([outcome.class, approvals, keeps, dismissible])
}

const shownOnce = (now: CommandState, { id }: CommandView): Once | null =>
  now.step === 'outcome' && now.command.id === id ? now.once : null

function useShown(initial: CommandView | null, onMoved: OnMoved) {
  const [state, setState] = useState<CommandState>(() => firstState(initial))
  const [answers, setAnswers] = useState(0)
  const [latest, setLatest] = useState(initial?.id)
  if (initial?.id !== latest) {
    setLatest(initial?.id)
    // Of a page that was refreshed, as after going back.
    if (initial && state.step === 'idle' && UNDER_WAY.includes(initial.outcome.class)) setState(firstState(initial))
  }
  const showOutcome = (command: CommandView, once: Once | null = null, notice: string | null = null) => {
    setState((now) => ({ step: 'outcome', command, once: once ?? shownOnce(now, command), notice }))
    if (MOVED.includes(command.outcome.class)) onMoved(command)
  }
  const answer = (show: () => void) => {
    show()
    setAnswers((count) => count + 1)
  }
  const takeAnswer = ({ command, notice }: Extract<CommandReply, { ok: true }>, shown: CommandView | null) => {
    const show = () => showOutcome(command, null, notice ?? null)
    if (shown !== null && displayedStateOf(command) === displayedStateOf(shown)) return show()
    answer(show)
    if (command.outcome.class === 'no-effect') onMoved(command)
  }
  const takeUpdate = (command: CommandView) => {
    const isSame = state.step === 'outcome' && displayedStateOf(command) === displayedStateOf(state.command)
    showOutcome(command, null, isSame ? state.notice : null)
  }
  const nextReconcileAt = useReconciling(state.step === 'outcome' ? state.command : null, takeUpdate)
  const showProblem = (problem: Problem, before: CommandView | null = null) =>
    answer(() => setState(withProblem(firstState(before), problem)))
  const showNotice = (reply: Extract<CommandReply, { ok: false }> | null) =>
    answer(() =>
      setState((now) =>
        now.step === 'outcome' ? withProblem(now, reply?.problem ?? CONSOLE_SILENT, reply === null ? DOUBT : '') : now,
      ),
    )
  return {
    state,
    setState,
    answers,
    answer,
    takeAnswer,
    nextReconcileAt,
    showOutcome,
    showProblem,
    showNotice,
    forget: () => setState((now) => (now.step === 'outcome' && now.once !== null ? { ...now, once: null } : now)),
    clear: () => setState({ step: 'idle' }),
  }
}

/** Faults are shown at the form's fields, or with the outcome that had no form. */
const refusedState = (faults: Readonly<Record<string, string>>, kept?: CommandView): CommandState =>
  kept === undefined
    ? { step: 'idle' }
    : { step: 'outcome', command: kept, once: null, notice: Object.values(faults).join(' ') }

type Confirming = Extract<CommandState, { step: 'confirming' }>

async function confirmingApproved(command: CommandView): Promise<CommandState> {
  const { id, kind, title, outcome, approved } = command
  if (approved === undefined || outcome.class !== 'approval') return firstState(command)
  await loaded(loadConfirmDialog)
  const draft = {
    id,
    kind: kind as DraftView['kind'],
    title,
    ...approved,
    expiresAt: outcome.expiresAt,
    immediate: false,
    warning: null,
    proof: null,
    limits: [],
    approval: null,
    passkey: false,
    approvedBy: outcome.approvedBy.map(({ name }) => name),
  }
  return { step: 'confirming', draft, sending: false, before: command }
}

function useRefusal() {
  const worded = useTimesWorded()
  const [{ faults, heldBy }, setRefusal] = useState(NO_REFUSAL)
  const withTimes = Object.entries(faults).map(([field, fault]) => [field, worded(fault)])
  return [{ faults: Object.fromEntries(withTimes), heldBy }, setRefusal] as const
}

/** Prevents a double click or a held Enter from starting twice. */
function useOneAtATime() {
  const busy = useRef(false)
  return async (work: () => Promise<void>): Promise<void> => {
    if (busy.current) return
    busy.current = true
    await work().finally(() => {
      busy.current = false
    })
  }
}

type Unanswered = (id: string) => (problem: Problem) => void

type Sent = Pick<CommandView, 'id' | 'kind'>

function useExecution(unansweredAs: Unanswered) {
  const [inFlight, setInFlight] = useState<InFlight | null>(null)
  /** A lost answer may hide a sent change. Withdrawing the draft says for certain, but `keeps` the approvals. */
  const executeUntilKnown = async ({ id, kind }: Sent, confirmation: Confirmation, keeps: boolean) => {
    setInFlight({ id, kind, sinceMs: serverNowMs() })
    const answered = await execute(id, confirmation)
    const ask = keeps ? readCommand : withdrawUnanswered
    const reply = answered ?? (await untilKnown(() => ask(id), unansweredAs(id)))
    setInFlight(null)
    return { reply, wasLost: answered === null }
  }
  return { inFlight, executeUntilKnown }
}

/** Asking for approval sends nothing, so reading is enough. */
const requestApproval = async (
  id: string,
  request: ApprovalRequest,
  onUnknown: (problem: Problem) => void,
): Promise<CommandReply> => (await askApproval(id, request)) ?? (await untilKnown(() => readCommand(id), onUnknown))

const DOUBT = ' It is not known whether this was recorded.'

function withProblem(state: CommandState, problem: Problem, doubt = ''): CommandState {
  if (state.step !== 'outcome') return { step: 'problem', problem }
  // The cover of the page says it.
  if (problem.kind === 'session-over') return state
  const { title, advice } = problemWords(problem)
  return { ...state, notice: `${title.replace(/\.$/, '')}.${doubt} ${advice}` }
}

const firstState = (initial: CommandView | null): CommandState =>
  initial === null ? { step: 'idle' } : { step: 'outcome', command: initial, once: null, notice: null }

const ASK_AGAIN_MS = 2_500

/** Asks what became of an unanswered confirmation. A refusal concerns only this request, so it decides nothing. */
export async function untilKnown(
  ask: () => Promise<CommandReply | null>,
  onUnknown: (problem: Problem) => void,
): Promise<Extract<CommandReply, { ok: true }>> {
  for (;;) {
    const reply = await ask()
    if (reply?.ok) return reply
    onUnknown(reply === null ? problemOf('console-unreachable') : reply.problem)
    await new Promise((done) => setTimeout(done, ASK_AGAIN_MS))
  }
}

/** Returns when the console checks the service next (milliseconds since 1970); null without a scheduled check. */
export function useReconciling(command: CommandView | null, onReconciled: (found: CommandView) => void): number | null {
  const open = command !== null && nextReadMs(command) !== null ? command.id : null
  const looked = useEffectEvent((found: CommandView | null) => {
    if (command !== null) onReconciled(found ?? { ...command, nextReconcileAt: null })
  })
  useEffect(() => {
    if (open === null) return
    return subscribe<CommandView>(`command ${open}`, (result) => looked(result.ok ? result.value : null), {
      atOnce: true,
    })
  }, [open])
  const next = command?.nextReconcileAt ?? null
  return open === null || next === null ? null : Date.parse(next)
}

async function proofFor({ id, need, code }: FactorRequest): Promise<PasskeyResult<Confirmation>> {
  if (need !== 'passkey') return { ok: true, value: code === null ? {} : { code } }
  const part = await import('./passkey.ts').catch(() => null)
  if (part === null) return { ok: false, words: NOT_LOADED }
  const signed = await part.signWithPasskey(id)
  return signed.ok ? { ok: true, value: { passkey: signed.value } } : signed
}

interface FactorRequest {
  readonly id: string
  readonly need: StepUpOutcome['need']
  readonly code: string | null
}
