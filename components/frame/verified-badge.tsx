'use client'

import { useVerified } from '#components/command/use-verified.ts'
import { Badge } from '#components/ui/badge.tsx'
import { ShieldCheck } from '#components/ui/icons.tsx'

export function VerifiedBadge({ initial }: { initial: string | null }) {
  const until = useVerified(initial)
  if (until === null) return null
  const clock = new Date(until).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return (
    <Badge variant="good">
      <ShieldCheck aria-hidden />
      Verified until {clock}
    </Badge>
  )
}
