'use client'

import { useSyncExternalStore } from 'react'
import { ageText, formatDay, formatLocal, formatUtc, relativeTime, type TimeFirst } from '#lib/values/time.ts'
import { Copyable } from './copyable.tsx'
import { useTimeFirst } from './time-preference.tsx'

const TICK_MS = 1_000

/** One ticking clock for all timestamps of a page. */
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const listen of listeners) listen()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const currentSecond = () => Math.floor(Date.now() / TICK_MS)

/** The present second; null on the server and for the first paint, where no zone and no present are known. */
export const useSecond = (): number | null => useSyncExternalStore(subscribe, currentSecond, () => null)

interface TimestampProps {
  /** ISO 8601 in UTC, as the service gave it. */
  value: string
  /**
   * `relative` for lists, with the day once it is long ago; `age` for what waits, however long; `exact` where the time itself
   * matters.
   */
  as?: 'relative' | 'age' | 'exact'
}

/** A time: relative or exact, with UTC, local time and the service's own text on hover. A click copies that text. */
export function Timestamp({ value, as = 'exact' }: TimestampProps) {
  const first = useTimeFirst()
  // The text, not the second: what reads the same a second later is left alone.
  const shown = useSyncExternalStore(
    subscribe,
    () => textNow(value, as, first),
    () => null,
  )
  const utc = formatUtc(value)
  if (shown === null) return <time dateTime={value}>{as === 'exact' ? utc : formatDay(value, 'utc')}</time>
  const local = formatLocal(value)
  const [leading, other] = first === 'local' ? [local, utc] : [utc, local]
  return (
    <Copyable
      value={value}
      action="copy the time"
      className="figures"
      hint={
        <>
          {leading}
          <br />
          {other}
          <br />
          {value}
        </>
      }
    >
      <time dateTime={value}>{shown}</time>
    </Copyable>
  )
}

function textNow(value: string, as: 'relative' | 'age' | 'exact', first: TimeFirst): string {
  if (as === 'exact') return first === 'local' ? formatLocal(value) : formatUtc(value)
  const nowMs = currentSecond() * TICK_MS
  return as === 'age' ? ageText(value, nowMs) : (relativeTime(value, nowMs) ?? formatDay(value, first))
}

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
