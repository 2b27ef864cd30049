import { Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { cn } from '#components/ui/cn.ts'
import { Check, TriangleAlert, X } from '#components/ui/icons.tsx'
import { onDemand } from '#components/ui/on-demand.tsx'
import { Progress } from '#components/ui/progress.tsx'
import { ClockTime } from '#components/values/timestamp.tsx'
import type { RunSummary, StatementWork } from '#lib/statements/statement-view.ts'
import { shownAmount } from '#lib/values/amount-text.ts'
import { visibleText } from '#lib/values/text.ts'
import { counted, formatCount } from '#lib/values/words.ts'
import type { StatementReply } from '../statement-requests.ts'
import { findStep, NEXT_STEP } from './next-step.ts'

interface WorkStripProps {
  /** Names this person and statement in session storage. */
  dismissalKey: string
  work: StatementWork
  fault: string | null
  onStop: () => void
  onFocusLost: () => void
}

const cutOffWords = ({ goesOn, by }: StatementWork): string =>
  goesOn
    ? `The console stopped during the lookup. It continues automatically when ${visibleText(by)} is back.`
    : 'The console stopped during this work. Nothing is lost. Start it again.'

export function WorkStrip({ dismissalKey, work, fault, onStop, onFocusLost }: WorkStripProps) {
  const [dismissed, dismiss] = useDismissedRun(dismissalKey)
  const { summary } = work
  const isConfirming = work.work === 'confirm'
  const ended = work.work === null ? work.ended : ''
  const isEndOfRun = summary?.isLatest === true
  const said = [
    ...(fault === null ? [] : [fault]),
    ...(work.cutOff ? [cutOffWords(work)] : []),
    ...(ended === '' || isEndOfRun ? [] : [ended]),
  ]
  return (
    <>
      {work.work === null ? null : <Running work={work} onStop={onStop} onFocusLost={onFocusLost} />}
      {said.map((words) => (
        <p key={words} role="status" className="border-b bg-attention-wash px-3.5 py-2 text-attention text-sm">
          {words}
        </p>
      ))}
      {summary === null || isConfirming || summary.batch === dismissed ? null : (
        <Summary summary={summary} ended={isEndOfRun ? ended : ''} onDismiss={() => dismiss(summary.batch)} />
      )}
    </>
  )
}

/** The latest run whose summary this person has dismissed in this tab. */
function useDismissedRun(key: string): [string | null, (batch: string) => void] {
  const [dismissed, setDismissed] = useState<string | null>(null)
  useEffect(() => setDismissed(sessionStorage.getItem(key)), [key])
  const dismiss = (batch: string) => {
    sessionStorage.setItem(key, batch)
    setDismissed(batch)
    // The button that had the focus goes.
    findStep('lines')?.focus()
  }
  return [dismissed, dismiss]
}

export const summaryWords = ({ confirmed, sum, notDone, notKnown }: RunSummary): string =>
  [
    confirmed === 0 ? 'None confirmed' : `${formatCount(confirmed)} confirmed, ${shownAmount(sum)} BZD`,
    ...(notDone === 0 ? [] : [`${formatCount(notDone)} not done`]),
    ...(notKnown === 0 ? [] : [`${formatCount(notKnown)} not known`]),
  ].join(' · ')

function Summary({ summary, ended, onDismiss }: { summary: RunSummary; ended: string; onDismiss: () => void }) {
  const isWhole = summary.notDone === 0 && summary.notKnown === 0 && ended === ''
  return (
    <section
      aria-label="Confirmation run"
      className={cn(
        'flex items-center gap-2.5 border-b px-3.5 py-1 text-sm',
        isWhole ? 'bg-good-wash text-good' : 'bg-attention-wash text-attention',
      )}
    >
      {isWhole ? (
        <Check aria-hidden className="size-4 shrink-0" />
      ) : (
        <TriangleAlert aria-hidden className="size-4 shrink-0" />
      )}
      <p role="status" className="figures min-w-0 flex-1 break-words">
        {summaryWords(summary)}
        {ended === '' ? null : <span className="block">{ended}</span>}
      </p>
      <Button variant="ghost" size="icon" aria-label="Dismiss" onClick={onDismiss}>
        <X aria-hidden />
      </Button>
    </section>
  )
}

function Running({ work, onStop, onFocusLost }: Pick<WorkStripProps, 'work' | 'onStop' | 'onFocusLost'>) {
  const box = useRef<HTMLElement>(null)
  const lost = useEffectEvent(onFocusLost)
  useLayoutEffect(() => {
    const section = box.current
    return () => {
      if (section?.contains(document.activeElement)) lost()
    }
  }, [])
  const word = work.work === 'confirm' ? 'Confirming' : 'Looking up'
  return (
    <section
      ref={box}
      aria-label={word}
      tabIndex={-1}
      {...{ [NEXT_STEP]: 'work' }}
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-3.5 py-2 text-sm"
    >
      <Progress aria-label={word} value={work.done} max={work.total} className="min-w-32 flex-1" />
      <p role="status" className="figures text-secondary-foreground">
        {word} for {visibleText(work.by)}: {formatCount(work.done)} of {formatCount(work.total)}
        {work.work === 'confirm' && work.summary !== null ? `, ${shownAmount(work.summary.sum)} BZD confirmed` : null}.
        You can leave this page.
        {work.pausedUntil === null ? null : (
          <span className="block text-attention">
            Paused by a rate limit until <ClockTime value={work.pausedUntil} />.
          </span>
        )}
      </p>
      <Button variant="outline" onClick={() => work.stopping || onStop()} aria-disabled={work.stopping}>
        {work.stopping ? 'Stopping after this line' : 'Stop'}
      </Button>
    </section>
  )
}

const FoundReferencesDialog = onDemand(
  () => import('./found-references-dialog.tsx').then((it) => it.FoundReferencesDialog),
  ({ onClose }) => onClose,
)

interface AcceptFoundProps {
  id: string
  found: number
  isMain: boolean
  onDone: (reply: StatementReply<unknown>) => void
}

export function AcceptFound({ id, found, isMain, onDone }: AcceptFoundProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button {...{ [NEXT_STEP]: 'accept' }} variant={isMain ? 'default' : 'outline'} onClick={() => setOpen(true)}>
        Accept {counted(found, 'found reference')}
      </Button>
      <Suspense>
        {isOpen ? (
          <FoundReferencesDialog
            id={id}
            onDone={(reply) => {
              setOpen(false)
              onDone(reply)
            }}
            onClose={() => setOpen(false)}
          />
        ) : null}
      </Suspense>
    </>
  )
}
