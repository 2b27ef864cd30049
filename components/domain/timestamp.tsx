'use client'

import { useSyncExternalStore } from 'react'
import { Copyable } from '#components/ui/copyable.tsx'
import { ageText, formatDay, formatLocal, formatUtc, relativeTime, type TimeFirst } from '#lib/domain/time.ts'
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
  const second = useSecond()
  const utc = formatUtc(value)
  if (second === null) return <time dateTime={value}>{as === 'exact' ? utc : formatDay(value, 'utc')}</time>
  const local = formatLocal(value)
  const [leading, other] = first === 'local' ? [local, utc] : [utc, local]
  const shown = as === 'exact' ? leading : listText(value, as, second * TICK_MS, first)
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

const listText = (value: string, as: 'relative' | 'age', nowMs: number, first: TimeFirst): string =>
  as === 'age' ? ageText(value, nowMs) : (relativeTime(value, nowMs) ?? formatDay(value, first))
