'use client'

import { type ReactNode, useSyncExternalStore } from 'react'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import {
  ageText,
  formatClock,
  formatDay,
  formatLocal,
  formatUtc,
  relativeTime,
  type TimeFirst,
} from '#lib/values/time.ts'
import { Copyable } from './copyable.tsx'
import { serverNowMs } from './server-clock.ts'
import { useTimeFirst } from './time-preference.tsx'

const TICK_MS = 1_000

/** One timer for all timestamps. */
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

const browserSecond = () => Math.floor(Date.now() / TICK_MS)
const serverSecond = () => Math.floor(serverNowMs() / TICK_MS)

/** For durations on the page. Null on the server and during hydration, where the zone is unknown. */
export const useSecond = (): number | null => useSyncExternalStore(subscribe, browserSecond, () => null)

/** For times from the server; null as in {@link useSecond}. */
export const useServerSecond = (): number | null => useSyncExternalStore(subscribe, serverSecond, () => null)

/** Calls `tell` every second. It returns text, so that React renders only changes. Null as in {@link useSecond}. */
export const useTold = <Text extends string>(tell: (nowMs: number) => Text): Text | null =>
  useSyncExternalStore(
    subscribe,
    () => tell(serverSecond() * TICK_MS),
    () => null,
  )

type Shown = 'past' | 'ahead' | 'age' | 'exact'

interface TimestampProps {
  /** ISO 8601 in UTC, from the service. */
  value: string
  /** `past` and `ahead`: relative, or the day when far away or when the clocks disagree. `age`: always relative. */
  as?: Shown
  children?: ReactNode
  sentence?: string
}

/** A click copies the service's text. */
export function Timestamp({ value, as = 'exact', children, sentence }: TimestampProps) {
  const first = useTimeFirst()
  const shown = useTold((nowMs) => textAt(nowMs, value, as, first))
  const utc = formatUtc(value)
  if (shown === null) return <time dateTime={value}>{as === 'exact' ? utc : formatDay(value, 'utc')}</time>
  const local = formatLocal(value)
  const [leading, other] = first === 'local' ? [local, utc] : [utc, local]
  return (
    <Copyable
      value={value}
      action="copy the time"
      className="figures"
      hint={[sentence ?? [], leading, other, value].flat().join('\n')}
    >
      <time dateTime={value}>{shown}</time>
      {children}
    </Copyable>
  )
}

/** Tolerance between the clocks. */
const CLOCKS_APART_MS = 4_000

function textAt(nowMs: number, value: string, as: Shown, first: TimeFirst): string {
  if (as === 'exact') return first === 'local' ? formatLocal(value) : formatUtc(value)
  const aheadMs = Date.parse(value) - nowMs
  if (as === 'past' && aheadMs > CLOCKS_APART_MS) return formatDay(value, first)
  if (as === 'ahead' && aheadMs < -CLOCKS_APART_MS) return formatDay(value, first)
  return as === 'age' ? ageText(value, nowMs) : (relativeTime(value, nowMs) ?? formatDay(value, first))
}

interface ClockTimeProps {
  /** ISO 8601 in UTC, from the service. */
  value: string
  to?: 'second' | 'minute'
}

/** For times of today, or under a heading with the day. */
export function ClockTime({ value, to = 'second' }: ClockTimeProps) {
  const first = useTimeFirst()
  // The server does not know the operator's zone.
  const local = useHydrated()
  const whole = local ? [formatLocal(value), formatUtc(value), value] : [formatUtc(value), value]
  return (
    <time dateTime={value} title={whole.join('\n')} className="figures">
      {formatClock(value, local ? first : 'utc', to)}
    </time>
  )
}
