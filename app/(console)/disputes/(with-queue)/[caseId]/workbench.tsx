'use client'

import { useRouter } from 'next/navigation'
import {
  type Dispatch,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import type { Command, CommandState } from '#components/command/command-state.ts'
import { loadCommandOutcome, OutcomeOnDemand } from '#components/command/outcome-on-demand.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { ResolvePanel, ResolveUnavailable } from '#components/disputes/resolve-panel.tsx'
import { KnownOfCase } from '#components/disputes/snippets.tsx'
import { useTopic } from '#components/frame/live-dot.tsx'
import { useAutomaticRefresh } from '#components/service/session-events.ts'
import { useIsHere, useOffScreenReady } from '#components/ui/hydrated.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import type { CommandView } from '#lib/commands/command.ts'
import type { CategoryChoice } from '#lib/disputes/categories/category.ts'
import type { CaseSnapshot } from '#lib/disputes/live/case-stream.ts'
import { type Disputed, type KnownReversal, knownReversal, shownMoney } from '#lib/disputes/resolution.ts'
import type { SnippetValues } from '#lib/disputes/snippets/snippet.ts'
import { orderKey, type ThreadCase, type ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { closedWords } from '#lib/disputes/workspace/workspace.ts'
import type { KeptText } from '#lib/session/unsent-text-place.ts'
import { CaseHead } from './case-head.tsx'
import { paneFilter, queueQueryOf, recordArrival } from './case-navigation.ts'
import { InternalNotes, UnseenNotes } from './internal-notes.tsx'
import type { Outgoing } from './outbox.ts'
import { Panes } from './panes.tsx'
import { MessageCounts } from './thread-message.tsx'
import { ThreadPane } from './thread-pane.tsx'
import { type CaseStream, useCaseStream } from './use-case-stream.ts'
import { useCaseWorkspace } from './use-case-workspace.ts'
import { isByOthers, type SeenThread, useMarkUnread } from './use-unseen.ts'

const ResolvedPanel = onDemand(() => import('./resolved-panel.tsx').then((it) => it.ResolvedPanel))
const SimilarList = onDemand(() => import('./resolved-panel.tsx').then((it) => it.SimilarList))

interface WorkbenchProps {
  caseId: string
  /** The operator's own id at the service; null when the console does not know it. */
  me: string | null
  initial: CaseSnapshot
  seen: SeenThread | null
  disputed: Disputed | null
  kept: { readonly message: KeptText; readonly reason: KeptText; readonly note: KeptText }
  /** Earlier messages with an unknown outcome. */
  open: readonly Outgoing[]
  categories: readonly CategoryChoice[]
  /** The scope without which the operator cannot write in the thread. */
  missingScope: string | null
  /** ISO 8601 end of the step-up grant; null when there is none. */
  verifiedUntil: string | null
  blockedReason: string | null
  policy: ReactNode
  messageLimit: ReactNode
  /** The latest command of this console to resolve the case. */
  latest: CommandView | null
  /** The reversing transaction, as far as the sender's history shows it. */
  matched: KnownReversal | Promise<KnownReversal>
  pinned: boolean
  reason: ReactNode
  transaction: ReactNode
  earlier: ReactNode
  facts: ReactNode
}

export function Workbench(props: WorkbenchProps) {
  const { caseId, me, initial, disputed, kept, latest } = props
  const refresh = useAutomaticRefresh()
  const stream = useCaseStream(caseId, initial)
  const lastPassed = useRef<ThreadMessage | null>(null)
  const readAgain = () => {
    refresh()
    stream.resync()
  }
  const command = useCommand(shownAtFirst(latest), readAgain, loadCommandOutcome)
  const { case: found, readOnly } = stream
  const goOn = useNextCase({ found, userId: me, command })
  const [wasOpen] = useState(!initial.readOnly)
  const resolution = useResolution(latest, readOnly && wasOpen)
  const reported = reversalToldBy(command, resolution)
  const reversal = reported === 'not-confirmed' ? props.matched : reported
  const isOvertaken = useOvertaken(command, readOnly)
  useOnceClosed(readOnly && !initial.readOnly, refresh)
  const asking = command.state.step === 'confirming' || command.state.step === 'verifying'
  const showEnd = useFocusAtTheEnd(readOnly && wasOpen, asking)
  const parties = useParties(found, disputed)
  const unread = useMarkUnread(caseId, stream.messages, me)
  const known = useMemo(() => snippetValues(found, disputed), [found, disputed])
  const isOffScreenReady = useOffScreenReady()
  return (
    <KnownOfCase value={known}>
      <Panes
        thread={
          <>
            <CaseHead
              found={found}
              amount={disputed?.debit ?? null}
              connection={stream.connection}
              pinned={props.pinned}
              unread={unread}
            />
            <UnseenNotes caseId={caseId} />
            <ThreadPane
              caseId={caseId}
              stream={stream}
              parties={parties}
              me={me}
              seen={props.seen}
              unreadUpTo={unread.upTo}
              lastPassed={lastPassed}
              kept={kept.message}
              open={props.open}
              missingScope={props.missingScope}
              reason={props.reason}
              limit={props.messageLimit}
              resolved={
                <Suspense>
                  <ResolvedPanel
                    box={showEnd}
                    {...{ found, me, reversal, isOvertaken }}
                    sender={parties.fromAccountId}
                    record={doneBy(command) ?? resolution}
                  />
                </Suspense>
              }
            />
          </>
        }
        facts={(showMessage) => (
          <>
            {readOnly && doneBy(command) !== null ? null : (
              <OutcomeOnDemand command={command} doneElsewhere onDismiss={command.clear} />
            )}
            <p role="status" className="text-sm empty:hidden">
              {goOn.words}
            </p>
            <DecisionPart {...{ props, command, stream, lastPassed }} onRetry={readAgain} />
            {isOffScreenReady ? (
              <>
                {props.transaction}
                {props.earlier}
                <InternalNotes caseId={caseId} kept={kept.note} />
                <MessageCounts
                  messages={stream.messages}
                  unreadable={stream.unreadable}
                  parties={parties}
                  onShow={showMessage}
                />
                {props.facts}
              </>
            ) : null}
          </>
        )}
      />
      <CommandDialogs command={command} danger also={goOn.also} />
    </KnownOfCase>
  )
}

interface DecisionPartProps {
  props: WorkbenchProps
  command: Command
  stream: CaseStream
  lastPassed: RefObject<ThreadMessage | null>
  onRetry: () => void
}

function DecisionPart({ props, command, stream, lastPassed, onRetry }: DecisionPartProps) {
  const { caseId, disputed, blockedReason } = props
  const { workspace } = useCaseWorkspace(caseId)
  const [opened] = useState(props.initial.messages)
  const refresh = useAutomaticRefresh()
  const refused = command.faults.category
  useEffect(() => {
    // The list changed since the page was read.
    if (refused !== undefined) refresh()
  }, [refused, refresh])
  if (stream.readOnly) return null
  if (disputed === null) return <ResolveUnavailable why={blockedReason ?? ''} onRetry={onRetry} />
  return (
    <ResolvePanel
      disputed={disputed}
      of="case"
      shortcut="R"
      kept={props.kept.reason}
      verifiedUntil={props.verifiedUntil}
      command={command}
      blockedReason={blockedReason ?? (workspace === null ? null : closedWords(workspace))}
      policy={props.policy}
      similar={
        blockedReason === null ? (
          <Suspense>
            <SimilarList caseId={caseId} />
          </Suspense>
        ) : null
      }
      categories={props.categories}
      onPrepare={(decision, reason, category) =>
        command.prepare('dispute.resolve', {
          caseId,
          referenceId: stream.case.referenceId,
          decision,
          reason,
          ...(category === null ? {} : { category }),
          latestMessageId: latestSeen(stream.messages, { initial: opened, passed: lastPassed.current, me: props.me }),
        })
      }
    />
  )
}

interface Read {
  readonly initial: readonly ThreadMessage[]
  /** The last message that was in view. */
  readonly passed: ThreadMessage | null
  readonly me: string | null
}

/** Id of the last message before the first of others that came since and was not in view. */
export function latestSeen(messages: readonly ThreadMessage[], { initial, passed, me }: Read): string {
  const isSeen = (key: string) => [initial.at(-1), passed].some((last) => last != null && key <= orderKey(last))
  const unseen = messages.findIndex((message) => isByOthers(message, me) && !isSeen(orderKey(message)))
  return (unseen < 0 ? messages : messages.slice(0, unseen)).at(-1)?.id ?? ''
}

function useParties({ raisedByUserId, counterpartyUserId }: ThreadCase, disputed: WorkbenchProps['disputed']) {
  const { fromAccountId = null, toAccountId = null } = disputed ?? {}
  return useMemo(
    () => ({ raisedByUserId, counterpartyUserId, fromAccountId, toAccountId }),
    [raisedByUserId, counterpartyUserId, fromAccountId, toAccountId],
  )
}

/** The latest resolution, until its reversing transaction is known. The service closes the case before it answers. */
function useResolution(latest: CommandView | null, closedNow: boolean): CommandView | null {
  const [pushed, setPushed] = useState<CommandView | null>(null)
  const resolution = pushed !== null && pushed.id === latest?.id ? pushed : latest
  const id = closedNow && knownReversal(resolution) === 'not-confirmed' ? (latest?.id ?? null) : null
  useTopic(id === null ? null : `command ${id}`, setPushed, { atOnce: true })
  return resolution
}

/** What a colleague did before is history. The resolution panel shows what is done. */
export function shownAtFirst(latest: CommandView | null): CommandView | null {
  if (latest === null || latest.keeps || latest.dismissible) return latest
  const { class: of } = latest.outcome
  if (of === 'done') return null
  const isOver = of === 'refused' || of === 'cancelled' || of === 'changed' || of === 'failed'
  return isOver && !latest.yours ? null : latest
}

const doneBy = ({ state }: Command): CommandView | null =>
  state.step === 'outcome' && state.command.outcome.class === 'done' ? state.command : null

/** Closes a dialog whose case was resolved elsewhere. Returns whether it did. */
export function useOvertaken(command: Command, readOnly: boolean): boolean {
  const [isOvertaken, setIsOvertaken] = useState(false)
  const { state } = command
  const waits = (state.step === 'confirming' || state.step === 'verifying') && !state.sending && !isOfApproved(state)
  const close = useEffectEvent(() => {
    command.cancel()
    setIsOvertaken(true)
  })
  useEffect(() => {
    if (readOnly && waits) close()
  }, [readOnly, waits])
  return isOvertaken
}

/** Sending it says what has changed. */
const isOfApproved = (asking: Extract<CommandState, { step: 'confirming' | 'verifying' }>): boolean =>
  asking.before?.id === (asking.step === 'confirming' ? asking.draft : asking.command).id && asking.before !== undefined

/** Prefers the operator's own resolution once it has an outcome. */
function reversalToldBy({ state }: Command, latest: CommandView | null): KnownReversal {
  const reversal = knownReversal(state.step === 'outcome' ? state.command : null)
  return reversal === 'not-confirmed' ? knownReversal(latest) : reversal
}

/** A party is unknown while the transaction cannot be read; it is left out. */
const snippetValues = ({ id, referenceId }: ThreadCase, disputed: Disputed | null): SnippetValues => ({
  case: id,
  reference: referenceId,
  ...(disputed === null
    ? {}
    : { amount: shownMoney(disputed.debit), sender: disputed.fromAccountId, recipient: disputed.toAccountId }),
})

function useOnceClosed(closed: boolean, act: () => void): void {
  const [hasActed, setHasActed] = useState(false)
  useEffect(() => {
    if (!closed || hasActed) return
    setHasActed(true)
    act()
  }, [closed, hasActed, act])
}

/** Closing a case removes the focused field or button, so focus moves to the resolution. */
export function useFocusAtTheEnd(closed: boolean, asking: boolean): Dispatch<HTMLElement | null> {
  const [end, showEnd] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (!closed || asking || end === null) return
    // A closing dialog first returns focus to an element that still exists, at least to the page's main part.
    const timer = setTimeout(() => {
      const { activeElement, body } = document
      if (activeElement === body || activeElement?.id === 'main') end.focus()
    })
    return () => clearTimeout(timer)
  }, [closed, asking, end])
  return showEnd
}

interface NextCaseOptions {
  readonly found: ThreadCase
  /** At the service. */
  readonly userId: string | null
  readonly command: Command
}

interface GoOn {
  /** A second way to confirm the resolution. */
  readonly also: { readonly words: string; readonly onChoose: (chosen: boolean) => void }
  readonly words: string
}

/** Opens the next case after a successful resolution, if the operator chose that. */
export function useNextCase({ found, userId, command }: NextCaseOptions): GoOn {
  const router = useRouter()
  const isHere = useIsHere()
  const [wanted, setWanted] = useState(false)
  const [words, setWords] = useState('')
  const outcome = command.state.step === 'outcome' ? command.state.command.outcome.class : null
  const done = wanted && outcome === 'done'
  const over = wanted && !done && hasEnded(command.state)
  useEffect(() => {
    if (over) setWanted(false)
  }, [over])
  const open = useEffectEvent(async () => {
    const filter = paneFilter()
    setWords('Opening the next case')
    const loaded = await import('./next-case.ts').catch(() => null)
    if (!isHere()) return
    if (loaded === null) return setWords('No case was opened. The console could not be reached.')
    const query = queueQueryOf(found.id)
    const next = await loaded.nextCaseOf(filter, found, { userId, query })
    if (!isHere()) return
    if ('why' in next) return setWords(`No case was opened. ${next.why}`)
    recordArrival({ ...next, from: found.id }, query)
    router.push(`/disputes/${encodeURIComponent(next.caseId)}${filter === 'all' ? '' : `?queue=${filter}`}`)
  })
  useEffect(() => {
    if (done) void open()
  }, [done])
  return { also: { words: 'Resolve and open next', onChoose: setWanted }, words }
}

const hasEnded = ({ step }: Command['state']): boolean =>
  step === 'idle' || step === 'problem' || step === 'unanswered' || step === 'outcome'
