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

const browserSecond = () => Math.floor(Date.now() / TICK_MS)
const serverSecond = () => Math.floor(serverNowMs() / TICK_MS)

/**
 * The present second by this browser's clock, for what begins and ends on the page itself. Null on the server and for the
 * first paint, where no zone and no present are known.
 */
export const useSecond = (): number | null => useSyncExternalStore(subscribe, browserSecond, () => null)

/** The present second by the server's clock, for times that the server gives; null where {@link useSecond} is. */
export const useServerSecond = (): number | null => useSyncExternalStore(subscribe, serverSecond, () => null)

/**
 * What `tell` says of the present by the server's clock, asked again every second: a text, so that what reads the same is
 * left alone. Null where {@link useSecond} is.
 */
export const useTold = <Text extends string>(tell: (nowMs: number) => Text): Text | null =>
  useSyncExternalStore(
    subscribe,
    () => tell(serverSecond() * TICK_MS),
    () => null,
  )

type Shown = 'past' | 'ahead' | 'age' | 'exact'

interface TimestampProps {
  /** ISO 8601 in UTC, as the service gave it. */
  value: string
  /**
   * `past` for what has happened and `ahead` for what is to come: relative, and the day where it is far away or a clock of the
   * service says otherwise. `age` for what waits, however long; `exact` where the time itself matters.
   */
  as?: Shown
  /** Behind the time: what it means. */
  children?: ReactNode
  /** The same in a sentence, on hover. */
  sentence?: string
}

/** A time: relative or exact, with UTC, local time and the service's own text on hover. A click copies that text. */
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

/** Less than this between two clocks is told as `now`. */
const CLOCKS_APART_MS = 4_000

function textAt(nowMs: number, value: string, as: Shown, first: TimeFirst): string {
  if (as === 'exact') return first === 'local' ? formatLocal(value) : formatUtc(value)
  const aheadMs = Date.parse(value) - nowMs
  if (as === 'past' && aheadMs > CLOCKS_APART_MS) return formatDay(value, first)
  if (as === 'ahead' && aheadMs < -CLOCKS_APART_MS) return formatDay(value, first)
  return as === 'age' ? ageText(value, nowMs) : (relativeTime(value, nowMs) ?? formatDay(value, first))
}

interface ClockTimeProps {
  /** ISO 8601 in UTC, as the service gave it. */
  value: string
  to?: 'second' | 'minute'
}

/** `12:04:31`, or `12:04`: where the day is said elsewhere, or is today. The whole of it on hover. */
export function ClockTime({ value, to = 'second' }: ClockTimeProps) {
  const first = useTimeFirst()
  // On the server no zone is known.
  const local = useHydrated()
  const whole = local ? [formatLocal(value), formatUtc(value), value] : [formatUtc(value), value]
  return (
    <time dateTime={value} title={whole.join('\n')} className="figures">
      {formatClock(value, local ? first : 'utc', to)}
    </time>
  )
}
