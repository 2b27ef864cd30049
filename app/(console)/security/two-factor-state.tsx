'use client'

import { Lock, ShieldCheck, ShieldOff } from 'lucide-react'
import { type Ref, useEffect, useState } from 'react'
import { Timestamp, useSecond } from '#components/domain/timestamp.tsx'
import { Chip } from '#components/ui/chip.tsx'
import type { TwoFactorStatus } from './two-factor-desk.tsx'

/** Whether codes are locked right now; a lock ends by itself. */
function useLocked(lockedSeconds: number | null): boolean {
  const second = useSecond()
  const [endsAt, setEndsAt] = useState<number | null>(null)
  useEffect(() => setEndsAt(lockedSeconds === null ? null : Date.now() / 1000 + lockedSeconds), [lockedSeconds])
  return lockedSeconds !== null && (second === null || endsAt === null || endsAt > second)
}

export function TwoFactorChip({ enrolled, lockedSeconds }: TwoFactorStatus) {
  if (useLocked(lockedSeconds)) {
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
  const locked = useLocked(lockedSeconds)
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
