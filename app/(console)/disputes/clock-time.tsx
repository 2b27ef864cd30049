'use client'

import { useTimeFirst } from '#components/values/time-preference.tsx'
import { useSecond } from '#components/values/timestamp.tsx'
import { formatLocal, formatUtc } from '#lib/values/time.ts'

/** `12:04:31`: of today, where the day says nothing. The whole of it on hover. */
export function ClockTime({ value }: { value: string }) {
  const first = useTimeFirst()
  const local = useSecond() !== null && first === 'local'
  const clock = new Date(value).toLocaleTimeString('en-GB', local ? {} : { timeZone: 'UTC' })
  return (
    <time dateTime={value} title={local ? formatLocal(value) : formatUtc(value)} className="figures">
      {clock}
      {local ? null : ' UTC'}
    </time>
  )
}
