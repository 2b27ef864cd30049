'use client'

import { Lock, ShieldCheck, ShieldOff } from 'lucide-react'
import type { Ref } from 'react'
import { Timestamp } from '#components/domain/timestamp.tsx'
import { useSecondsLeft } from '#components/domain/use-seconds-left.ts'
import { Chip } from '#components/ui/chip.tsx'
import type { TwoFactorStatus } from './two-factor-desk.tsx'

export function TwoFactorChip({ enrolled, lockedSeconds }: TwoFactorStatus) {
  if (useSecondsLeft(lockedSeconds) > 0) {
    return (
      <Chip tone="attention">
        <Lock aria-hidden />
        Locked
      </Chip>
    )
  }
  return enrolled ? (
    <Chip tone="good">
      <ShieldCheck aria-hidden />
      On
    </Chip>
  ) : (
    <Chip tone="attention">
      <ShieldOff aria-hidden />
      Not set up
    </Chip>
  )
}

/** The state of the second factor in one line. */
export function TwoFactorState({
  enrolled,
  enrolledAt,
  lockedUntil,
  lockedSeconds,
  ref,
}: TwoFactorStatus & { ref: Ref<HTMLParagraphElement> }) {
  const locked = useSecondsLeft(lockedSeconds) > 0
  return (
    <p ref={ref} tabIndex={-1} className="px-3.5 py-3 outline-none">
      {enrolled ? 'Enrolled' : 'Not enrolled'}
      {enrolled && enrolledAt !== null ? (
        <>
          {' since '}
          <Timestamp value={enrolledAt} />
        </>
      ) : null}
      {locked && lockedUntil !== null ? (
        <>
          {'. Too many codes were rejected: no code is taken until '}
          <Timestamp value={lockedUntil} />
        </>
      ) : null}
      .
    </p>
  )
}
