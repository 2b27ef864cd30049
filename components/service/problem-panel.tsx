import type { ReactNode } from 'react'
import { cn } from '#components/ui/cn.ts'
import { CircleAlert } from '#components/ui/icons.tsx'
import { Reference } from '#components/values/reference.tsx'
import type { Problem } from '#lib/contract/problem.ts'
import { pauseSeconds, problemWords } from '#lib/service/problem-words.ts'
import { visibleText } from '#lib/values/text.ts'
import { PausedButton, RetryButton } from './retry-button.tsx'

const REPEATABLE = new Set([408, 425, 429])

/** Repeating a refusal is useless, unless the session had ended. */
const worthRepeating = ({ kind, status }: Problem): boolean =>
  kind === 'unreachable' ||
  kind === 'unreadable' ||
  kind === 'session-over' ||
  status === null ||
  status >= 500 ||
  REPEATABLE.has(status)

interface ProblemPanelProps {
  problem: Problem
  /** Instead of a refresh. */
  onRetry?: () => void
  /** Replaces the button. */
  retry?: ReactNode
  className?: string
}

/** A failure never looks like an empty list. */
export function ProblemPanel({ problem, onRetry, retry, className }: ProblemPanelProps) {
  const { title, advice } = problemWords(problem)
  const seconds = pauseSeconds(problem)
  const again =
    onRetry === undefined ? (
      <RetryButton seconds={seconds} />
    ) : (
      <PausedButton seconds={seconds} problem={problem} onClick={onRetry}>
        Try again
      </PausedButton>
    )
  return (
    <div role="alert" className={cn('flex gap-3 px-3.5 py-4', className)}>
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" />
      <div className="grid min-w-0 gap-2">
        <p className="font-semibold">{title}</p>
        <p className="max-w-prose text-secondary-foreground text-sm">{advice}</p>
        <ProblemMarks problem={problem} />
        {worthRepeating(problem) ? <div>{retry ?? again}</div> : null}
      </div>
    </div>
  )
}

export function ProblemMarks({ problem, shownElsewhere = null }: { problem: Problem; shownElsewhere?: string | null }) {
  const fields = Object.entries(problem.errors ?? {})
  const traceId = problem.traceId === shownElsewhere ? null : problem.traceId
  if (problem.code === null && traceId === null && fields.length === 0) return null
  return (
    <dl className="grid gap-0.5 text-muted-foreground text-xs">
      {fields.map(([field, sayings]) => (
        <div key={field} className="flex min-w-0 items-baseline gap-2 text-secondary-foreground">
          <dt className="mono shrink-0">{visibleText(field)}</dt>
          <dd className="min-w-0 break-words">{visibleText(sayings.join(', '))}</dd>
        </div>
      ))}
      {problem.code === null ? null : (
        <div className="flex min-w-0 items-baseline gap-2">
          <dt>Code</dt>
          <dd className="min-w-0">
            <Reference value={problem.code} name="Code" whole />
          </dd>
        </div>
      )}
      {traceId === null ? null : (
        <div className="flex min-w-0 items-baseline gap-2">
          <dt>Trace</dt>
          <dd className="min-w-0">
            <Reference value={traceId} name="Trace id" />
          </dd>
        </div>
      )}
    </dl>
  )
}
