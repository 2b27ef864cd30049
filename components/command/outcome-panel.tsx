'use client'

import dynamic from 'next/dynamic'
import { Lines } from '#components/domain/lines.tsx'
import { ProblemMarks } from '#components/domain/problem-panel.tsx'
import { Reference } from '#components/domain/reference.tsx'
import { Timestamp, useSecond } from '#components/domain/timestamp.tsx'
import { Button } from '#components/ui/button.tsx'
import { Chip } from '#components/ui/chip.tsx'
import { Fact, Facts } from '#components/ui/facts.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { CommandView, Outcome } from '#lib/domain/command.ts'
import { outcomeLooks } from './outcome-looks.ts'
import { Steps } from './steps.tsx'

const SettleByHand = dynamic(() => import('./settle-by-hand.tsx').then((it) => it.SettleByHand))

interface OutcomePanelProps {
  command: CommandView
  /** Milliseconds since 1970; null when the console does not look by itself. */
  nextLookAt: number | null
  onLookNow?: () => void
  onSettle?: (happened: boolean, why: string) => void
}

/** What came of a change: always in this form, with what, who and when. */
export function OutcomePanel({ command, nextLookAt, onLookNow, onSettle }: OutcomePanelProps) {
  const { outcome } = command
  const { title, tone, word: usual, icon: Icon } = outcomeLooks[outcome.class]
  const word = outcome.class === 'unknown' && command.settledByHand ? 'waits for a person' : usual
  return (
    <Panel
      title={title}
      tone={tone}
      aria-live="polite"
      aside={
        <Chip tone={tone}>
          <Icon aria-hidden />
          {word}
        </Chip>
      }
    >
      <p className="break-words px-3.5 pt-3">{command.title}</p>
      <OutcomeBody outcome={outcome} />
      {command.readable && (outcome.class === 'unknown' || outcome.class === 'accepted') ? (
        <NextLook at={nextLookAt} onLookNow={onLookNow} />
      ) : null}
      {command.settledByHand && onSettle !== undefined ? <SettleByHand onSettle={onSettle} /> : null}
      <Facts className="border-line border-t">
        <Fact label="About">
          <Reference value={command.target} name="what it is about" />
        </Fact>
        <Fact label="By">{command.actorName}</Fact>
        {command.sentAt === null ? null : (
          <Fact label="Sent">
            <Timestamp value={command.sentAt} />
          </Fact>
        )}
        {command.settledAt === null || command.sentAt === null ? null : (
          <Fact label="Known since">
            <Timestamp value={command.settledAt} />
          </Fact>
        )}
      </Facts>
    </Panel>
  )
}

function OutcomeBody({ outcome }: { outcome: Outcome }) {
  switch (outcome.class) {
    case 'sending':
      return <Words>It was sent and is waiting for an answer. Do not confirm it anywhere else meanwhile.</Words>
    case 'done':
    case 'accepted':
      return (
        <>
          {outcome.steps.length === 0 ? null : <Steps steps={outcome.steps} />}
          <Lines lines={outcome.lines} />
        </>
      )
    case 'refused':
      return (
        <Words>
          <strong className="block text-ink">{outcome.title}</strong>
          {outcome.advice}
          {outcome.problem === null ? null : <ProblemMarks problem={outcome.problem} />}
        </Words>
      )
    case 'changed':
      return (
        <div className="grid gap-1 py-2">
          <Words>Nothing was sent. Look at it again before you decide.</Words>
          <h3 className="px-3.5 pt-1 font-[550] text-ink-3 text-xs">When you looked</h3>
          <Lines lines={outcome.before} />
          <h3 className="px-3.5 pt-1 font-[550] text-ink-3 text-xs">Now</h3>
          <Lines lines={outcome.now} />
        </div>
      )
    case 'unknown':
      return (
        <Words>
          It was sent and no usable answer came, so it may or may not have happened. It is not sent again.{' '}
          {outcome.checking} {outcome.advice}
          {outcome.traceId === null ? null : (
            <span className="mt-1 flex items-baseline gap-2 text-xs">
              Trace <Reference value={outcome.traceId} name="Trace id" />
            </span>
          )}
        </Words>
      )
    case 'step-up':
      return (
        <Words>
          <strong className="block text-ink">{outcome.title}</strong>
          {outcome.advice}
        </Words>
      )
  }
}

const Words = ({ children }: { children: React.ReactNode }) => (
  <div className="grid gap-1 px-3.5 py-2.5 text-ink-2 text-sm">{children}</div>
)

function NextLook({ at, onLookNow }: { at: number | null; onLookNow: (() => void) | undefined }) {
  const second = useSecond()
  if (at === null && onLookNow !== undefined) {
    return (
      <div className="px-3.5 pb-3">
        <Button onClick={onLookNow}>Look now</Button>
      </div>
    )
  }
  if (at === null || second === null) return null
  const seconds = Math.max(0, Math.ceil(at / 1000 - second))
  return (
    <p aria-live="off" className="figures px-3.5 pb-3 text-ink-3 text-xs">
      {seconds === 0 ? 'Looking now' : `Next look in ${seconds} s`}
    </p>
  )
}
