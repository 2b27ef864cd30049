import { type ReactNode, type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react'
import { CommandDialogs } from '#components/command/command-dialogs.tsx'
import type { Command } from '#components/command/command-state.ts'
import { loadCommandOutcome, OutcomeOnDemand } from '#components/command/outcome-on-demand.tsx'
import { useCommand } from '#components/command/use-command.ts'
import { CaseAge } from '#components/disputes/case-marks.tsx'
import { PinButton } from '#components/look-up/pin-button.tsx'
import { Button } from '#components/ui/button.tsx'
import { useOffScreenReady } from '#components/ui/hydrated.tsx'
import { Bell, CircleDashed, Ellipsis, Eye, RefreshCw, WifiOff, X } from '#components/ui/icons.tsx'
import { ShortcutHint, usePageKey } from '#components/ui/kbd.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { MissingScope } from '#components/values/explained.tsx'
import { caseLooks, ExplainedBadge, styleIn } from '#components/values/explained-badge.tsx'
import { Fact, Facts, TimeFact } from '#components/values/facts.tsx'
import { MoneyFact } from '#components/values/money.tsx'
import { Reference } from '#components/values/reference.tsx'
import { Timestamp, WithTimes } from '#components/values/timestamp.tsx'
import type { Problem } from '#lib/contract/problem.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { CaseWorkspace, Person, Snooze } from '#lib/disputes/workspace/workspace.ts'
import { problemWords } from '#lib/service/problem-words.ts'
import { visibleText } from '#lib/values/text.ts'
import { caseHeadLine, caseHeadPeople } from '../../class-names.ts'
import { type AssigneeAct, EvidenceAct, useAssigneeActs } from './assignee-acts.tsx'
import { arrivalAt, clearArrival } from './case-navigation.ts'
import type { ConnectionWord } from './use-case-stream.ts'
import { useCaseWorkspace } from './use-case-workspace.ts'
import { type MarkUnread, useMarkChangesSeen } from './use-unseen.ts'

const DueLine = onDemand(() => import('./snooze-dialog.tsx').then((it) => it.DueLine))

interface CaseHeadProps {
  found: ThreadCase
  /** What the sender pays, as received from the service; null while the transaction cannot be read. */
  amount: string | null
  connection: ConnectionWord | null
  pinned: boolean
  unread: MarkUnread
}

/** Two lines of constant height; what does not fit is under "More". */
export function CaseHead({ found, amount, connection, pinned, unread }: CaseHeadProps) {
  const { workspace: read, problem, refresh } = useCaseWorkspace(found.id)
  // It may have been read just before the case was resolved.
  const workspace = read && { ...read, open: read.open && found.status === 'OPEN' }
  const command = useCommand(null, refresh, loadCommandOutcome)
  const { acts, dialog } = useAssigneeActs(found.id, workspace, command)
  const markUnread = workspace?.mayWork ? unread.run : null
  usePageKey('u', () => markUnread?.())
  useMarkChangesSeen(found.id)
  const controls = useRef<HTMLSpanElement>(null)
  const { step } = command.state
  const refused = command.faults.caseId !== undefined
  useEffect(() => {
    // Another person may have changed the assignee first.
    if (step === 'outcome' || step === 'unanswered' || refused) refresh()
  }, [step, refused, refresh])
  useFocusKept(controls, workspace?.claim?.holder ?? '', step === 'checking')
  const [first, ...others] = acts
  const thing = { kind: 'case', id: found.id } as const
  return (
    <>
      <header className="@container relative z-10 shrink-0 border-b">
        <div className={caseHeadLine}>
          <h1 tabIndex={-1} className="min-w-[8ch] max-w-[18ch] text-base outline-none print:max-w-none">
            <Reference value={found.id} name="Case" short mark />
          </h1>
          <span className="shrink-0">
            <ExplainedBadge {...styleIn(caseLooks, found.status)} raw={found.status} />
          </span>
          <LiveBadge connection={connection} />
          <span ref={controls} className="ml-auto flex shrink-0 gap-2">
            <span className="@min-[480px]:inline-flex hidden">{first === undefined ? null : <Act act={first} />}</span>
            <span className={pinInLine}>
              <PinButton thing={thing} pinned={pinned} small />
            </span>
            <More>
              <CaseDetails found={found} amount={amount} workspace={workspace} problem={problem} />
              <LiveSentence connection={connection} />
              <div className="grid gap-2 p-3.5">
                {first === undefined ? null : (
                  <span className="@min-[480px]:hidden grid">
                    <Act act={first} />
                  </span>
                )}
                <span data-stays className="@min-[600px]:hidden grid [&_button]:w-full">
                  <PinButton thing={thing} pinned={pinned} />
                </span>
                {others.map((act) => (
                  <Act key={act.word} act={act} />
                ))}
                {markUnread === null ? null : (
                  <Button variant="outline" aria-keyshortcuts="U" onClick={markUnread}>
                    Mark unread
                    <ShortcutHint of="U" />
                  </Button>
                )}
                {workspace === null ? null : <EvidenceAct caseId={found.id} />}
                {problem === null || problem.status === 403 ? null : (
                  <Button variant="outline" onClick={refresh}>
                    Try again
                  </Button>
                )}
              </div>
            </More>
          </span>
        </div>
        <div className={`${caseHeadPeople} text-secondary-foreground text-xs`}>
          <span aria-live="polite" className="flex min-w-0 shrink-0 @max-[400px]:shrink">
            <AssigneeWords workspace={workspace} problem={problem} />
          </span>
          {workspace !== null && workspace.watch !== null ? (
            <span className="flex shrink-0 items-center gap-1">
              <Bell aria-hidden className="size-3.5" />
              Watching
            </span>
          ) : null}
          {workspace === null ? null : <OtherViewers viewers={workspace.viewers} />}
        </div>
      </header>
      <Arrival caseId={found.id} />
      {workspace === null || workspace.snooze === null ? null : <Snoozed snooze={workspace.snooze} />}
      {workspace === null || workspace.answerBy === null ? null : (
        <Suspense>
          <DueLine
            by={workspace.answerBy}
            busy={step === 'checking'}
            onTakeOff={
              workspace.mayWork
                ? () => command.prepare('case.drop-deadline', { caseId: found.id, until: workspace.answerBy })
                : null
            }
          />
        </Suspense>
      )}
      <p role="status" className="border-b px-4 py-1.5 text-secondary-foreground text-xs empty:hidden">
        {unread.words}
      </p>
      <AssigneeOutcome command={command} />
      <CommandDialogs command={command} />
      {dialog}
    </>
  )
}

/** The message appears below the line, because the line has a fixed height. */
const pinInLine =
  '@min-[600px]:inline-flex relative hidden [&_[role=alert]]:absolute [&_[role=alert]]:top-full [&_[role=alert]]:right-0 [&_[role=alert]]:w-max [&_[role=alert]]:max-w-80 [&_[role=alert]]:rounded [&_[role=alert]]:border [&_[role=alert]]:bg-card [&_[role=alert]]:px-2 [&_[role=alert]]:py-1'

const Act = ({ act: { word, key, run, busy, missingScope } }: { act: AssigneeAct }) =>
  missingScope === null ? (
    <Button variant="outline" aria-disabled={busy} aria-keyshortcuts={key?.toUpperCase()} onClick={() => busy || run()}>
      {word}
      {key === null ? null : <ShortcutHint of={key.toUpperCase()} />}
    </Button>
  ) : (
    <MissingScope scope={missingScope}>{word}</MissingScope>
  )

interface CaseDetailsProps extends Pick<CaseHeadProps, 'found' | 'amount'> {
  workspace: CaseWorkspace | null
  problem: Problem | null
}

const CaseDetails = ({ found, amount, workspace, problem }: CaseDetailsProps) => (
  <Facts>
    {amount === null ? null : <MoneyFact label="Sender pays" value={amount} />}
    <TimeFact label="Opened" value={found.createdAt} />
    {found.status === 'OPEN' ? (
      <Fact label="Age">
        <CaseAge createdAt={found.createdAt} status={found.status} />
      </Fact>
    ) : null}
    {workspace === null ? null : (
      <>
        <Fact label="Assignee">
          {workspace.claim === null ? (
            'none'
          ) : (
            <span className="min-w-0 break-words">
              {holderOf(workspace)}, since <Timestamp value={workspace.claim.since} as="past" />
            </span>
          )}
        </Fact>
        <Fact label="Also viewing">
          <span className="min-w-0 break-words">{namesOf(workspace.viewers)}</span>
        </Fact>
      </>
    )}
    {problem === null ? null : <p className="py-1 text-attention text-sm">{problemWords(problem).title}</p>}
  </Facts>
)

const holderOf = ({ claim, me }: CaseWorkspace): string =>
  claim?.holder === me ? 'you' : visibleText(claim?.holderName ?? '')

function AssigneeWords({ workspace, problem }: Pick<CaseDetailsProps, 'workspace' | 'problem'>) {
  if (problem !== null) {
    const forbidden = problem.status === 403
    const before = workspace === null ? 'Assignee not known' : 'May be out of date'
    const words = forbidden ? problemWords(problem).title : `${before}: ${problemWords(problem).title}`
    return (
      <span title={words} className={forbidden ? 'truncate' : 'truncate text-attention'}>
        {words}
      </span>
    )
  }
  if (workspace === null) return null
  if (workspace.claim === null) return workspace.open ? <span className="truncate">Unassigned</span> : null
  const holder = holderOf(workspace)
  return (
    <span title={holder} className="truncate">
      Assignee: <strong className="font-[550] text-foreground">{holder}</strong>
    </span>
  )
}

/** A separate line, because its text is too long for the head. */
const Snoozed = ({ snooze: { until } }: { snooze: Snooze }) => (
  <p role="status" className="border-b px-4 py-1.5 text-secondary-foreground text-xs">
    Snoozed until{' '}
    {until === null ? null : (
      <>
        <Timestamp value={until} />, or{' '}
      </>
    )}
    a party writes. Hidden from the assignee’s cases.
  </p>
)

const namesOf = (viewers: readonly Person[]): string =>
  viewers.length === 0 ? 'no one' : viewers.map(({ name }) => visibleText(name)).join(', ')

function OtherViewers({ viewers }: { viewers: readonly Person[] }) {
  if (viewers.length === 0) return null
  const words = `Also viewing: ${namesOf(viewers)}`
  return (
    <span className="flex min-w-0 items-center gap-1">
      <Eye aria-hidden className="size-3.5 shrink-0" />
      <span title={words} className="truncate">
        {words}
      </span>
    </span>
  )
}

/** Moves focus to the next button when the operator's own action removed the focused one. */
function useFocusKept(controls: RefObject<HTMLElement | null>, holder: string, acting: boolean): void {
  const before = useRef<string | null>(null)
  useEffect(() => {
    if (acting) before.current ??= holder
    // The page can show the new assignee before the action is answered. The buttons are disabled until then.
    if (acting || before.current === null || before.current === holder) return
    before.current = null
    if (document.activeElement !== document.body) return
    const buttons = [...(controls.current?.querySelectorAll('button') ?? [])]
    buttons.find((button) => button.checkVisibility())?.focus()
  }, [controls, holder, acting])
}

function Arrival({ caseId }: { caseId: string }) {
  const [arrival] = useState(() => arrivalAt(caseId))
  useEffect(clearArrival, [])
  if (arrival === null) return null
  return (
    <p
      role="status"
      className="flex flex-wrap items-center gap-x-1.5 border-b px-4 py-1.5 text-secondary-foreground text-xs"
    >
      {arrival.from === null ? null : (
        <>
          Case{' '}
          <Reference
            value={arrival.from}
            name="Case resolved before"
            href={`/disputes/${encodeURIComponent(arrival.from)}`}
            short
          />{' '}
          is resolved. {arrival.chosen === null ? 'This is your next case.' : 'This case is now assigned to you.'}
        </>
      )}
      {arrival.chosen === null ? null : <span>Chosen: {arrival.chosen}.</span>}
    </p>
  )
}

/** Empty after a successful action, because the head already shows the new assignee. */
const AssigneeOutcome = ({ command }: { command: Command }) => (
  <div className="max-h-[50%] shrink-0 overflow-y-auto border-b px-4 py-2 text-sm empty:hidden">
    {outcomeOf(command)}
  </div>
)

function outcomeOf(command: Command) {
  const { state, faults } = command
  const outcome = state.step === 'outcome' ? state.command.outcome : null
  if (outcome?.class === 'done') return null
  if ((outcome !== null && outcome.class !== 'refused') || state.step === 'problem' || state.step === 'unanswered') {
    return <OutcomeOnDemand command={command} />
  }
  const words = outcome === null ? faults.caseId : `${outcome.title}. ${outcome.advice}`
  if (words === undefined) return null
  return (
    <p role="alert" className="flex items-center gap-2 text-attention">
      <span className="min-w-0 break-words">
        <WithTimes text={words} />
      </span>
      {outcome === null ? null : (
        <Button size="icon" variant="ghost" aria-label="Dismiss" onClick={command.clear}>
          <X aria-hidden />
        </Button>
      )}
    </p>
  )
}

const looks = {
  'catching up': {
    meaning: 'working',
    icon: CircleDashed,
    word: 'Catching up',
    sentence: 'Reading messages posted in the meantime.',
  },
  'checking every 5 s': {
    meaning: 'attention',
    icon: RefreshCw,
    word: 'Checking every 5 s',
    sentence: 'Live updates are interrupted. The case is read every 5 seconds.',
  },
  refused: {
    meaning: 'attention',
    icon: WifiOff,
    word: 'Not live',
    sentence: 'No live updates for this case. Reload the page.',
  },
} as const

type LiveProps = Pick<CaseHeadProps, 'connection'>

/** This badge is the first item in its line to shrink. */
const LiveBadge = ({ connection }: LiveProps) => (
  <span role="status" className="flex min-w-8 empty:sr-only">
    {connection === null ? null : <ExplainedBadge {...looks[connection]} />}
  </span>
)

const LiveSentence = ({ connection }: LiveProps) =>
  connection === null ? null : (
    <p className="px-3.5 text-muted-foreground text-xs">
      {looks[connection].word}: {looks[connection].sentence}
    </p>
  )

/** A click on an item closes the menu and returns focus, except for items that show their result in it. */
function More({ children }: { children: ReactNode }) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const isOffScreenReady = useOffScreenReady()
  return (
    <>
      <Button variant="outline" size="icon" popoverTarget={id} aria-label="More" className="[anchor-name:--more]">
        <Ellipsis aria-hidden />
      </Button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the buttons in it are what is clicked, by key or pointer. */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('[data-slot="button"]:not([data-stays] *)'))
            menu.current?.hidePopover()
        }}
        className="fixed inset-auto my-1 max-h-[min(70dvh,calc(100%-0.5rem))] w-80 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border bg-card text-foreground shadow-[var(--lift)] [position-anchor:--more] [position-area:bottom_span-left] [position-try:most-height_flip-block]"
      >
        {isOffScreenReady ? children : null}
      </div>
    </>
  )
}
