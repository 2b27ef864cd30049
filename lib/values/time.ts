export type TimeFirst = 'local' | 'utc'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const RELATIVE_UP_TO_DAYS = 14

/** Construction takes milliseconds: made on first use. */
const formatIn = (timeZone: string | undefined) => {
  let format: Intl.DateTimeFormat | undefined
  return (time: string): readonly [day: string, clock: string] => {
    format ??= new Intl.DateTimeFormat('en-GB', {
      ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    })
    const [day = '', clock = ''] = format.format(new Date(time)).split(', ')
    return [day, clock]
  }
}

/** `['20 Nov 2026', '12:05:33']`. */
const formats = { utc: formatIn('UTC'), local: formatIn(undefined) } as const

/** `20 Nov 2026, 18:05:33 UTC`. */
export const formatUtc = (time: string): string => `${formats.utc(time).join(', ')} UTC`

/** `20 Nov 2026, 12:05:33 UTC−6`. */
export const formatLocal = (time: string): string => `${formats.local(time).join(', ')} ${localZone(time)}`

/** In the operator's zone and in UTC. */
export function formatBoth(time: string, first: TimeFirst): readonly [string, string] {
  const [local, utc] = [formatLocal(time), formatUtc(time)]
  return first === 'local' ? [local, utc] : [utc, local]
}

/** `2026-11-20 18:05:33 UTC`: the server does not know the reader's zone. */
export const timeInText = (time: string): string => `${time.slice(0, 19).replace('T', ' ')} UTC`

export const withLocalTimes = (text: string): string =>
  text.replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g, (_written, day, clock) => formatLocal(`${day}T${clock}Z`))

export const formatDay = (time: string, zone: TimeFirst): string => formats[zone](time)[0]

export function formatClock(time: string, zone: TimeFirst, to: 'second' | 'minute'): string {
  const clock = formats[zone](time)[1].slice(0, to === 'minute' ? 'hh:mm'.length : undefined)
  return zone === 'utc' ? `${clock} UTC` : clock
}

/** `30 Nov 12:00`, or `30 Nov 2027 12:00` in another year. */
export function formatMoment(time: string, zone: TimeFirst, nowMs: number): string {
  const yearNow = / \d+$/.exec(formatDay(new Date(nowMs).toISOString(), zone))?.[0] ?? ''
  const day = formatDay(time, zone)
  return `${day.endsWith(yearNow) ? day.slice(0, day.length - yearNow.length) : day} ${formatClock(time, zone, 'minute')}`
}

/** `UTC−6`, `UTC+5:30`. */
function localZone(time: string): string {
  const ahead = -new Date(time).getTimezoneOffset()
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60]
  return `UTC${ahead < 0 ? '−' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`
}

/** `in 23 h`, `36 s ago`; null beyond 14 days. */
export function relativeTime(time: string, nowMs: number): string | null {
  const seconds = Math.round((Date.parse(time) - nowMs) / 1000)
  const distance = Math.abs(seconds)
  if (distance > RELATIVE_UP_TO_DAYS * DAY) return null
  if (distance < 5) return 'now'
  const text = distanceText(distance)
  return seconds > 0 ? `in ${text}` : `${text} ago`
}

/** `29 d`; `now` for a future time. */
export function ageText(time: string, nowMs: number): string {
  const seconds = Math.round((nowMs - Date.parse(time)) / 1000)
  return seconds < 5 ? 'now' : distanceText(seconds)
}

export function distanceText(seconds: number): string {
  if (seconds < MINUTE) return `${seconds} s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)} h`
  return `${Math.floor(seconds / DAY)} d`
}

const DAY_MS = 86_400_000
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/

const isCalendarDay = (text: string): boolean =>
  ISO_DAY.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

/** `2026-11-20`. In years below 1000, and in 9999, the start of a day or of the next one cannot be computed. */
export const isDay = (text: string): boolean => isCalendarDay(text) && text >= '1970-01-01' && text <= '9998-12-31'

/** What a text that `isDay` refuses should be, for the message. */
export const expectedDay = (text: string): string => (isCalendarDay(text) ? 'a day of the years 1970 to 9998' : 'a day')

const RELATIVE_DAY = /^today(?:-(\d{1,3}))?$/

/** How many days ago: `today`, `yesterday` or `today-6`. Null for other texts. */
function daysAgo(text: string): number | null {
  if (text === 'yesterday') return 1
  const relative = RELATIVE_DAY.exec(text)
  return relative === null ? null : Number(relative[1] ?? 0)
}

export const isDayOrRelative = (text: string): boolean => isDay(text) || daysAgo(text) !== null

/** `2026-11-20`: a relative day is counted from the present day of the zone. */
export function absoluteDay(text: string, zone: string): string {
  const ago = daysAgo(text)
  return ago === null ? text : daysBefore(dayOf(Date.now(), zone), ago)
}

/** `America/Belize`. */
export function isZone(text: string): boolean {
  try {
    return text !== '' && new Intl.DateTimeFormat('en', { timeZone: text }).formatToParts() !== null
  } catch {
    return false
  }
}

export const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10)

/** The Swedish format is ISO 8601. */
export const dayOf = (ms: number, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(ms)

/** ISO 8601; correct if the clock changes at midnight. */
export function dayStart(day: string, zone: string): string {
  const midnight = Date.parse(day)
  const clock = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  const localText = (ms: number): string => {
    const part = Object.fromEntries(clock.formatToParts(ms).map(({ type, value }) => [type, value]))
    return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}.000Z`
  }
  const offset = (ms: number): number => Date.parse(localText(ms)) - ms
  const moments = [midnight - DAY_MS, midnight + DAY_MS].map((ms) => midnight - offset(ms))
  const first = moments.toSorted((one, other) => one - other).find((ms) => localText(ms).startsWith(day))
  return new Date(first ?? midnight).toISOString()
}

/** Working time in milliseconds since 1970; in order, without overlaps. */
export type Span = readonly [fromMs: number, toMs: number]

export const workingMsIn = (spans: readonly Span[], fromMs: number, toMs: number): number =>
  spans.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, toMs) - Math.max(from, fromMs)), 0)
