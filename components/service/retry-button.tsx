'use client'

import { RotateCw } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { Button } from '#components/ui/button.tsx'

/** Reads the page's data again. */
export function RetryButton() {
  const router = useRouter()
  const [reading, startReading] = useTransition()
  return (
    <Button variant="outline" onClick={() => startReading(() => router.refresh())} disabled={reading}>
      <RotateCw aria-hidden className={reading ? 'animate-spin' : undefined} />
      {reading ? 'Reading again' : 'Try again'}
    </Button>
  )
}
