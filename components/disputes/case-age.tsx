'use client'

import { use } from 'react'
import { cn } from '#components/ui/cn.ts'
import { AlarmClock, Check, Hourglass, type Icon } from '#components/ui/icons.tsx'
import { Timestamp, useTold } from '#components/values/timestamp.tsx'
import { type AgeTarget, ageTarget, ageTargetWords } from '#lib/disputes/case-state.ts'
import { DisputeTargetContext } from './dispute-target.tsx'

const looks: Readonly<Record<AgeTarget, readonly [icon: Icon, ink: string]>> = {
  within: [Check, 'text-muted-foreground'],
  nearing: [Hourglass, 'text-attention'],
  over: [AlarmClock, 'text-danger'],
}

interface CaseAgeProps {
  /** ISO 8601, from the service. */
  createdAt: string
  /** Only an open case has a target. */
  status: string
  short?: boolean
}

export function CaseAge({ createdAt, status, short = false }: CaseAgeProps) {
  const hours = use(DisputeTargetContext)
  const target = useTold((nowMs) => ageTarget(createdAt, nowMs, hours))
  if (status !== 'OPEN' || target === null) return <Timestamp value={createdAt} as="age" />
  const { word, sentence } = ageTargetWords(target, hours)
  const [Icon, ink] = looks[target]
  return (
    <Timestamp value={createdAt} as="age" sentence={sentence}>
      <span data-target={target} className={cn('ml-1.5 inline-flex items-baseline gap-1 text-xs', ink)}>
        <Icon aria-hidden className="size-3.5 shrink-0 self-center" />
        {word}
        <span className={short ? 'sr-only' : undefined}> target</span>
      </span>
    </Timestamp>
  )
}
