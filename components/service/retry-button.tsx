'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { Button } from '#components/ui/button.tsx'
import { RotateCw } from '#components/ui/icons.tsx'
import { useSessionBack } from './session-events.ts'

/** Refreshes automatically when the session is back. */
export function RetryButton() {
  const router = useRouter()
  const [reading, startReading] = useTransition()
  const read = () => startReading(() => router.refresh())
  useSessionBack(read)
  return (
    <Button variant="outline" onClick={read} disabled={reading}>
      <RotateCw aria-hidden className={reading ? 'animate-spin' : undefined} />
      {reading ? 'Reading again' : 'Try again'}
    </Button>
  )
}
