'use client'

import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'
import { useHydrated } from '#components/ui/hydrated.tsx'
import {
  ageText,
  formatClock,
  formatDay,
  formatLocal,
  formatUtc,
  relativeTime,
  type TimeFirst,
  withLocalTimes,
} from '#lib/values/time.ts'
import { Copyable } from './copyable.tsx'

const TICK_MS = 1_000

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

const browserSecond = () => Math.floor(steadyNowMs() / TICK_MS)
const serverSecond = () => Math.floor(serverNowMs() / TICK_MS)

/** Renders other values as transitions: an urgent update restarts the rendering of a page that is coming. */
function useEachSecond<Value extends string | number | null>(read: () => Value, readBefore: () => Value): Value {
  const [, setReadAtMs] = useState(0)
  const value = useHydrated() ? read() : readBefore()
  const readAgain = useEffectEvent(() => {
    if (read() !== value) startTransition(() => setReadAtMs(Date.now()))
  })
  useEffect(() => subscribe(() => readAgain()), [])
  return value
}

/** Urgent, because secrets hide by it. Null until hydration: the zone is unknown. */
export const useSecond = (): number | null => useSyncExternalStore(subscribe, browserSecond, () => null)

/** For times from the server; null as in {@link useSecond}. */
export const useServerSecond = (): number | null => useEachSecond<number | null>(serverSecond, () => null)

/** Calls `tell` every second. It returns text, so that React renders only changes. Until hydration, by when the page was made. */
export function useClockText<Text extends string>(
  tell: (nowMs: number) => Text,
  tellBefore: (nowMs: number) => Text = tell,
): Text {
  const madeAtMs = useContext(MadeAtContext)
  return useEachSecond(
    () => tell(serverSecond() * TICK_MS),
    () => tellBefore(madeAtMs),
  )
}

/** Counts from `sinceMs` by the server's clock, or from when `seconds` or another `problem` arrived. */
export function useSecondsLeft(seconds: number | null, sinceMs: number | null = null, problem?: object | null): number {
  const second = useServerSecond()
  const [arrivedMs, setArrivedMs] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: two problems may ask for the same pause.
  useEffect(() => setArrivedMs(seconds === null ? null : serverNowMs()), [seconds, problem])
  if (seconds === null) return 0
  const startMs = sinceMs ?? arrivedMs
  if (startMs === null || second === null) return sinceMs === null ? Math.ceil(seconds) : 0
  return Math.min(Math.ceil(seconds), Math.max(0, Math.ceil(startMs / 1000 + seconds - second)))
}

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
  const shown = useClockText(
    (nowMs) => textAt(nowMs, value, as, first),
    // The server does not know the operator's zone.
    (nowMs) => textAt(nowMs, value, as, 'utc'),
  )
  return (
    <Copyable value={value} action="copy the time" className="figures" hint={sentence} timeFirst={first}>
      <time dateTime={value}>{shown}</time>
      {children}
    </Copyable>
  )
}

/** As wide as a date, so that nothing moves while time goes on. */
export const ListTime = ({ value }: { value: string }) => (
  <span className="inline-block min-w-20">
    <Timestamp value={value} as="past" />
  </span>
)

/** Tolerance between the clocks. */
const CLOCKS_APART_MS = 4_000

function textAt(nowMs: number, value: string, as: Shown, first: TimeFirst): string {
  if (as === 'exact') return first === 'local' ? formatLocal(value) : formatUtc(value)
  const aheadMs = Date.parse(value) - nowMs
  if (as === 'past' && aheadMs > CLOCKS_APART_MS) return formatDay(value, first)
  if (as === 'ahead' && aheadMs < -CLOCKS_APART_MS) return formatDay(value, first)
  return as === 'age' ? ageText(value, nowMs) : (relativeTime(value, nowMs) ?? formatDay(value, first))
}

/** For times of today, or under a heading with the day. */
export function ClockTime({ value, to = 'second' }: { value: string; to?: 'second' | 'minute' }) {
  const first = useTimeFirst()
  const zone = useHydrated() ? first : 'utc'
  return (
    <time dateTime={value} data-time-first={first} className="figures">
      {formatClock(value, zone, to)}
    </time>
  )
}

const TimeFirstContext = createContext<TimeFirst>('local')

/** Milliseconds since 1970, by the server's clock. */
const MadeAtContext = createContext(0)

interface TimePreferenceProps {
  first: TimeFirst
  /** Milliseconds since 1970. */
  madeAtMs: number
  children: ReactNode
}

export function TimePreference({ first, madeAtMs, children }: TimePreferenceProps) {
  // Runs before any child reads the clock, and once: a refresh brings a later value.
  const [firstMadeAtMs] = useState(() => {
    setServerClock(madeAtMs)
    return madeAtMs
  })
  useEffect(() => {
    const format = first === 'local' ? formatLocal : formatUtc
    // The browser prints before React could render.
    const showTime = () => {
      const words = `Printed ${format(new Date(serverNowMs()).toISOString())}`
      document.documentElement.style.setProperty('--printed', JSON.stringify(words))
    }
    addEventListener('beforeprint', showTime)
    return () => removeEventListener('beforeprint', showTime)
  }, [first])
  return (
    <MadeAtContext value={firstMadeAtMs}>
      <TimeFirstContext value={first}>{children}</TimeFirstContext>
    </MadeAtContext>
  )
}

export const useTimeFirst = (): TimeFirst => useContext(TimeFirstContext)

/** Milliseconds that the server's clock is ahead of the browser's; 0 on the server. */
let aheadMs = 0

/** Tolerates the transfer time and the whole seconds of `Date` headers. */
const APART_MS = 5_000
const HALF_SECOND_MS = 500

let steadyMs = 0

/** Milliseconds by this browser's clock, but never going back. */
export function steadyNowMs(): number {
  steadyMs = Math.max(steadyMs, Date.now() - performance.now())
  return steadyMs + performance.now()
}

/** Milliseconds since 1970. Compare times from the server with this, not `Date.now()`. */
export const serverNowMs = (): number => Date.now() + aheadMs

/** `serverMs`: when the server made this page; in the browser, when the response began. */
export function setServerClock(serverMs: number): void {
  if (typeof window === 'undefined') return
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const arrivedMs = Date.now() - (performance.now() - (navigation?.responseStart ?? 0))
  aheadMs = serverMs - arrivedMs
}

/** Corrects for a browser clock that was set since. */
export function correctServerClock({ headers }: Pick<Response, 'headers'>): void {
  const serverMs = Date.parse(headers.get('date') ?? '') + HALF_SECOND_MS
  if (Math.abs(serverMs - serverNowMs()) > APART_MS) aheadMs = serverMs - Date.now()
}

/** UTC until hydration. */
export function useDayZone(): string {
  const first = useTimeFirst()
  const hydrated = useHydrated()
  return hydrated && first === 'local' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC'
}

/** Rewrites the times in a text to the operator's zone. */
export function useTimesWorded(): (text: string) => string {
  const first = useTimeFirst()
  // The server does not know the operator's zone.
  const local = useHydrated() && first === 'local'
  return (text) => (local ? withLocalTimes(text) : text)
}

export const WithTimes = ({ text }: { text: string }) => useTimesWorded()(text)
