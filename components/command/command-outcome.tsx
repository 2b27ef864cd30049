import Link from 'next/link'
import { type RefObject, Suspense } from 'react'
import { Panel } from '#components/frame/panel.tsx'
import { ProblemMarks } from '#components/service/problem-panel.tsx'
import { PauseNote } from '#components/service/retry-button.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { Check, X } from '#components/ui/icons.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { Fact, Facts, ReferenceFact, TimeFact } from '#components/values/facts.tsx'
import { Timestamp, useSecondsLeft, useServerSecond, WithTimes } from '#components/values/timestamp.tsx'
import { type CommandView, type ConcurrentChanges, isApprovedView, type Step } from '#lib/commands/command.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { pauseSeconds } from '#lib/service/problem-words.ts'
import { visibleText } from '#lib/values/text.ts'
import { distanceText } from '#lib/values/time.ts'
import { outcomeStyles } from './command-row.tsx'
import type { Command, CommandState } from './command-state.ts'
import { ChangedLines, Lines } from './lines.tsx'
import { EarlierChange, NoOutcome, SlowSend, useFocusOnAnswer } from './no-outcome.tsx'

export interface CommandOutcomeProps {
  command: Command
  /** Another component shows success and takes the focus. */
  doneElsewhere?: boolean
  titleAbove?: boolean
  /** Offered once nothing more can come of it. */
  onDismiss?: () => void
}

export function CommandOutcome({ command, doneElsewhere = false, titleAbove = false, onDismiss }: CommandOutcomeProps) {
  const { state } = command
  const box = useFocusOnAnswer(command, doneElsewhere)
  if (state.step === 'outcome') {
    return <OutcomePanel box={box} state={state} acts={command} titleAbove={titleAbove} onDismiss={onDismiss} />
  }
  return <NoOutcome command={command} box={box} />
}

const Approval = onDemand(() => import('./approval.tsx').then((it) => it.Approval))
const SettleByHand = onDemand(() => import('./settle-by-hand.tsx').then((it) => it.SettleByHand))
const UnseenActs = onDemand(() => import('./settle-by-hand.tsx').then((it) => it.UnseenActs))

interface OutcomePanelProps {
  box: RefObject<HTMLElement | null>
  state: Extract<CommandState, { step: 'outcome' }>
  acts: Command
  titleAbove: boolean
  onDismiss: (() => void) | undefined
}

function OutcomePanel({ box, state, acts, titleAbove, onDismiss }: OutcomePanelProps) {
  const { command, notice } = state
  const { outcome } = command
  const { title: usualTitle, meaning, word: usual, icon: Icon } = outcomeStyles[outcome.class]
  const { title = usualTitle, word = usual } = unusualWords(command)
  return (
    <Panel
      ref={box}
      tabIndex={-1}
      className="scroll-my-3"
      title={title}
      meaning={meaning}
      aria-live="polite"
      aside={
        <>
          <Badge variant={meaning}>
            <Icon aria-hidden />
            {/* The heading may already say it. */}
            {word === title.toLowerCase() ? null : word}
          </Badge>
          {onDismiss === undefined || !over.has(outcome.class) || command.keeps || command.dismissible ? null : (
            <Button
              size="icon"
              variant="ghost"
              aria-label="Dismiss"
              onClick={({ currentTarget }) => {
                currentTarget.closest<HTMLElement>('aside, main')?.focus()
                onDismiss()
              }}
            >
              <X aria-hidden />
            </Button>
          )}
        </>
      }
    >
      {titleAbove ? null : (
        <p className="break-words px-3.5 pt-3">{outcome.class === 'done' ? command.doneTitle : command.title}</p>
      )}
      <OutcomeBody command={command} />
      {acts.inFlight === null ? null : (
        <div className="px-3.5 pb-2.5">
          <SlowSend {...acts.inFlight} />
        </div>
      )}
      {notice ? (
        <p role="alert" className="px-3.5 pb-2.5 text-attention text-sm">
          <WithTimes text={notice} />
        </p>
      ) : null}
      <Suspense>
        {outcome.class === 'approval' ? (
          <Approval command={command} outcome={outcome} onSend={acts.sendApproved} onTakeBack={acts.cancel} />
        ) : null}
      </Suspense>
      {command.mayAskAgain ? (
        <div className="px-3.5 pb-3">
          <Button variant="outline" onClick={acts.askAgain}>
            Ask again
          </Button>
        </div>
      ) : null}
      {command.yours && (outcome.class === 'step-up' || outcome.class === 'prepared') ? (
        <div className="flex flex-wrap gap-2 px-3.5 pb-3">
          {outcome.class === 'step-up' ? <Button onClick={() => acts.verify(null)}>Continue</Button> : null}
          <Button variant={outcome.class === 'step-up' ? 'ghost' : 'outline'} onClick={acts.cancel}>
            Cancel it
          </Button>
        </div>
      ) : null}
      {command.readable &&
      (outcome.class === 'unknown' || outcome.class === 'accepted' || outcome.class === 'no-effect') ? (
        <NextReconcile at={acts.nextReconcileAt} onReconcileNow={acts.reconcileNow} />
      ) : null}
      {command.partyFault === undefined ? null : <p className="px-3.5 pb-3 text-sm">{command.partyFault}</p>}
      <Suspense>
        {command.settledByHand && command.partyFault === undefined ? (
          <SettleByHand command={command} onSettle={acts.settle} outcomeOf={outcomeOf} />
        ) : null}
        {command.keeps || command.dismissible ? <UnseenActs command={command} onAct={acts.handleUnseen} /> : null}
      </Suspense>
      <Facts className="border-t">
        {/* These changes are about the operator who makes them. */}
        {command.kind.startsWith('totp.') ? null : (
          <ReferenceFact label="About" value={command.target} name="what it is about" />
        )}
        <Fact label="By">{visibleText(command.actorName)}</Fact>
        {command.sentAt === null ? null : <TimeFact label="Sent" value={command.sentAt} />}
        {command.settledAt === null || command.sentAt === null ? null : (
          <TimeFact label="Result at" value={command.settledAt} />
        )}
        {command.traceId === null ? null : <ReferenceFact label="Trace" value={command.traceId} name="Trace id" />}
      </Facts>
    </Panel>
  )
}

const over: ReadonlySet<CommandView['outcome']['class']> = new Set([
  'done',
  'failed',
  'refused',
  'cancelled',
  'changed',
])

const outcomeOf = (command: Command) => <CommandOutcome command={command} />

function unusualWords(command: CommandView): { readonly title?: string; readonly word?: string } {
  const { outcome, settledByHand } = command
  if (outcome.class === 'done' && outcome.late) return { title: 'It happened after all' }
  if ((outcome.class === 'unknown' || outcome.class === 'accepted') && settledByHand) return { word: 'needs a person' }
  return isApprovedView(command) ? { title: 'Approved', word: 'not sent yet' } : {}
}

function OutcomeBody({ command }: { command: CommandView }) {
  const { id, outcome, yours, actorName, sentAt, settledAt, traceId, meanwhile } = command
  switch (outcome.class) {
    case 'approval':
      return null
    case 'sending':
      return (
        <Words>
          Sent, waiting for an answer. Don’t confirm it anywhere else yet.
          {sentAt === null ? null : <SlowSend id={id} kind="" sinceMs={Date.parse(sentAt)} />}
        </Words>
      )
    case 'prepared':
      return (
        <Words>
          {yours
            ? 'Not confirmed yet. If you just confirmed it, wait. Otherwise cancel it and start again.'
            : 'Prepared, but not confirmed. Nothing was sent.'}
        </Words>
      )
    case 'failed':
      return (
        <>
          <Words>
            <strong className="block text-foreground">{outcome.title}</strong>
          </Words>
          <Lines lines={outcome.lines} />
        </>
      )
    case 'no-effect':
      return (
        <Words>
          <strong className="block text-foreground">{outcome.title}</strong>
          <WithTimes text={outcome.advice} />
        </Words>
      )
    case 'done':
    case 'accepted':
      return (
        <>
          {outcome.class === 'done' && outcome.late ? (
            <Words>No effect was found at first. Check whether something else was done instead.</Words>
          ) : null}
          {outcome.class === 'accepted' ? (
            <Words>
              <WithTimes text={outcome.shows} />
            </Words>
          ) : null}
          {outcome.steps.length === 0 ? null : <Steps steps={outcome.steps} />}
          <Lines lines={outcome.lines} />
        </>
      )
    case 'refused':
      return (
        <Words>
          <strong className="block text-foreground">
            <WithTimes text={outcome.title} />
          </strong>
          <span>
            <WithTimes text={outcome.advice} />
          </span>
          {outcome.problem === null ? null : <ProblemMarks problem={outcome.problem} shownElsewhere={traceId} />}
          <EarlierChange id={outcome.heldBy} />
          <RefusalPause problem={outcome.problem} settledAt={settledAt} />
        </Words>
      )
    case 'cancelled':
      return <Words>{yours ? 'You cancelled it. Nothing was changed.' : 'Nothing was changed.'}</Words>
    case 'changed':
      return (
        <>
          <Words>Nothing was sent. Check it again before you continue.</Words>
          <ChangedLines before={outcome.before} now={outcome.now} />
          {meanwhile === undefined ? null : <ConcurrentChangeList meanwhile={meanwhile} />}
        </>
      )
    case 'unknown':
      return (
        <Words>
          Sent, but no usable answer came. It may or may not have happened. It is not sent again. {outcome.checking}{' '}
          <WithTimes text={`${outcome.shows ?? ''} ${outcome.advice}`.trim()} />
        </Words>
      )
    case 'step-up':
      return (
        <Words>
          <strong className="block text-foreground">
            {yours ? outcome.title : `Waiting for a code from ${visibleText(actorName)}`}
          </strong>
          {yours ? outcome.advice : 'Nothing has changed yet. It expires after ten minutes without a code.'}
        </Words>
      )
  }
}

function RefusalPause({ problem, settledAt }: { problem: Problem | null; settledAt: string | null }) {
  return <PauseNote left={useSecondsLeft(pauseSeconds(problem), settledAt === null ? null : Date.parse(settledAt))} />
}

const Words = ({ children }: { children: React.ReactNode }) => (
  <div className="grid gap-1 px-3.5 py-2.5 text-secondary-foreground text-sm">{children}</div>
)

function NextReconcile({ at, onReconcileNow }: { at: number | null; onReconcileNow: () => void }) {
  const second = useServerSecond()
  const seconds = at === null || second === null ? null : Math.max(0, Math.ceil(at / 1000 - second))
  const far = at === null || (seconds !== null && seconds > FAR_SECONDS)
  return (
    <div className="flex flex-wrap items-center gap-3 px-3.5 pb-3 empty:hidden">
      {far ? (
        <Button variant="outline" onClick={onReconcileNow}>
          Check now
        </Button>
      ) : null}
      {seconds === null ? null : (
        <p aria-live="off" className="figures text-muted-foreground text-xs">
          {seconds === 0 ? 'Checking now' : `Next check in ${distanceText(seconds)}`}
        </p>
      )}
    </div>
  )
}

/** If the next check is later than this, the operator can ask for it now. */
const FAR_SECONDS = 60

function ConcurrentChangeList({ meanwhile: { changes, hidden } }: { meanwhile: ConcurrentChanges }) {
  if (changes.length === 0 && hidden === 0) {
    return <p className="px-3.5 py-2.5 text-secondary-foreground text-sm">Changed outside this console.</p>
  }
  return (
    <div className="grid gap-1 px-3.5 py-2.5 text-secondary-foreground text-sm">
      <p>In this console since then:</p>
      <ul className="grid gap-1">
        {changes.map(({ id, title, actorName, at, sure }) => (
          <li key={id} className="break-words">
            <Link href={`/activity/${id}`} prefetch={false} className="text-primary underline-offset-4 hover:underline">
              {title}
            </Link>
            , by {visibleText(actorName)}, {sure ? null : 'sent '}
            <Timestamp value={at} as="past" />
            {sure ? null : ': it may have caused the change'}
          </li>
        ))}
        {hidden === 0 ? null : <li>{hidden === 1 ? 'A change' : `${hidden} changes`} by others that you cannot see</li>}
      </ul>
    </div>
  )
}

const stepLooks = {
  behind: 'border-good bg-good text-card',
  now: 'border-working shadow-[0_0_0_3px_var(--working-wash)]',
  ahead: 'border-input',
} as const

const Steps = ({ steps }: { steps: readonly Step[] }) => (
  <ol className="grid gap-2.5 px-3.5 py-3 text-sm">
    {steps.map((step) => (
      <li
        key={step.word}
        aria-current={step.place === 'now' ? 'step' : undefined}
        className={cn(
          'grid grid-cols-[18px_1fr] items-center gap-2.5',
          step.place === 'ahead' && 'text-muted-foreground',
          step.place === 'now' && 'font-semibold',
        )}
      >
        <span className={cn('grid size-4 place-items-center rounded-full border-[1.5px]', stepLooks[step.place])}>
          {step.place === 'behind' ? <Check aria-label="done:" className="size-3" strokeWidth={3} /> : null}
        </span>
        {step.word}
      </li>
    ))}
  </ol>
)
