'use client'

import { Lock, ShieldCheck, ShieldOff } from 'lucide-react'
import type { Ref } from 'react'
import { Timestamp, useSecond } from '#components/domain/timestamp.tsx'
import { Chip } from '#components/ui/chip.tsx'
import type { TwoFactorStatus } from './two-factor-desk.tsx'

/** Whether codes are locked right now; a lock ends by itself. */
function useLocked(lockedUntil: string | null): boolean {
  const second = useSecond()
  return lockedUntil !== null && (second === null || Date.parse(lockedUntil) / 1000 > second)
}

export function TwoFactorChip({ enrolled, lockedUntil }: TwoFactorStatus) {
  if (useLocked(lockedUntil)) {
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
  ref,
}: TwoFactorStatus & { ref: Ref<HTMLParagraphElement> }) {
  const locked = useLocked(lockedUntil)
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
