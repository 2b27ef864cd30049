import { dayAfter, dayOf, dayStart, daysBefore, isDay, type Span, workingMsIn } from './time.ts'

/** Working time of a week in a time zone. */
export interface WorkingHours {
  /** 0 is Sunday. */
  readonly weekdays: readonly number[]
  /** Minutes since midnight; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** Days without work, such as `2026-12-25`. */
  readonly closed: readonly string[]
}

export interface Calendar extends WorkingHours {
  readonly zone: string
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const WEEK = 7
const HOURS = /^(\S+) (\d{2}):(\d{2})-(\d{2}):(\d{2})(?: except (\S+))?$/
const MINUTES_OF_DAY = 1_440

/** `Mon-Fri 08:00-17:00`, `Mon,Wed 09:00-24:00 except 2026-12-25,2026-12-26`. Null for other texts. */
export function readWorkingHours(text: string): WorkingHours | null {
  const [whole, days = '', fromHour, fromMinute, toHour, toMinute, except] = HOURS.exec(text.trim()) ?? []
  if (whole === undefined) return null
  const [from, to] = [Number(fromHour) * 60 + Number(fromMinute), Number(toHour) * 60 + Number(toMinute)]
  const weekdays = days.split(',').flatMap(weekdaysIn)
  const closed = except?.split(',') ?? []
  const isWrong = from >= to || to > MINUTES_OF_DAY || Number(fromMinute) > 59 || Number(toMinute) > 59
  if (isWrong || weekdays.includes(-1) || !closed.every(isDay)) return null
  return { weekdays: [...new Set(weekdays)], from, to, closed }
}

/** -1 for an unknown name. */
function weekdaysIn(part: string): readonly number[] {
  const [first = '', last = first, ...more] = part.split('-')
  const [from, to] = [WEEKDAYS.indexOf(first), WEEKDAYS.indexOf(last)]
  if (from < 0 || to < 0 || more.length > 0) return [-1]
  return Array.from({ length: ((to - from + WEEK) % WEEK) + 1 }, (_, at) => (from + at) % WEEK)
}

function instantOf(day: string, minute: number, zone: string): number {
  if (minute === MINUTES_OF_DAY) return Date.parse(dayStart(dayAfter(day), zone))
  const guess = Date.parse(dayStart(day, zone)) + minute * 60_000
  const [hours = 0, minutes = 0] = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' },
  })
    .format(guess)
    .split(':')
    .map(Number)
  // The clock may change between midnight and then, and the guess be on the next day.
  const off = (minute - hours * 60 - minutes + MINUTES_OF_DAY) % MINUTES_OF_DAY
  return guess + (off > MINUTES_OF_DAY / 2 ? off - MINUTES_OF_DAY : off) * 60_000
}

function spanOf(day: string, { weekdays, from, to, closed, zone }: Calendar): readonly Span[] {
  if (!weekdays.includes(new Date(day).getUTCDay()) || closed.includes(day)) return []
  return [[instantOf(day, from, zone), instantOf(day, to, zone)]]
}

/** A calendar of which all days are closed ends here. */
const DAYS_MAX = 4_000

/** The working spans that hold the last `workingMs` before now, and those of the next `daysAhead`. */
export function spansAround(nowMs: number, workingMs: number, daysAhead: number, calendar: Calendar): readonly Span[] {
  const spans: Span[] = []
  const today = dayOf(nowMs, calendar.zone)
  let before = 0
  for (let ago = 0; ago < DAYS_MAX && before < workingMs; ago += 1) {
    const found = spanOf(daysBefore(today, ago), calendar)
    before += workingMsIn(found, 0, nowMs)
    spans.unshift(...found)
  }
  for (let ahead = 1; ahead <= daysAhead; ahead += 1) spans.push(...spanOf(daysBefore(today, -ahead), calendar))
  return spans
}

/** The latest moment from which on `workingMs` have passed until now. */
export function workingMsBefore(nowMs: number, workingMs: number, calendar: Calendar): number {
  let left = workingMs
  for (const [from, to] of spansAround(nowMs, workingMs, 0, calendar).toReversed()) {
    const part = Math.max(0, Math.min(to, nowMs) - from)
    if (part >= left) return Math.min(to, nowMs) - left
    left -= part
  }
  return 0
}

/** The moment at which `workingMs` have passed since then. */
export function workingMsAfter(sinceMs: number, workingMs: number, calendar: Calendar): number {
  let left = workingMs
  let day = dayOf(sinceMs, calendar.zone)
  for (let count = 0; count < DAYS_MAX; count += 1) {
    for (const [from, to] of spanOf(day, calendar)) {
      const part = Math.max(0, to - Math.max(from, sinceMs))
      if (part >= left) return Math.max(from, sinceMs) + left
      left -= part
    }
    day = dayAfter(day)
  }
  return Number.POSITIVE_INFINITY
}
