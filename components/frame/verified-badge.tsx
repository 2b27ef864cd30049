'use client'

import { ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { onVerified } from '#components/command/verified.ts'
import { Badge } from '#components/ui/badge.tsx'
import { useSecond } from '#components/values/timestamp.tsx'

/** Until when this session is verified by a second factor; nothing while it is not. */
export function VerifiedBadge({ initial }: { initial: string | null }) {
  const [until, setUntil] = useState(initial)
  const second = useSecond()
  useEffect(() => onVerified(setUntil), [])
  if (until === null || second === null || Date.parse(until) / 1000 <= second) return null
  const clock = new Date(until).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return (
    <Badge variant="good">
      <ShieldCheck aria-hidden />
      Verified until {clock}
    </Badge>
  )
}
