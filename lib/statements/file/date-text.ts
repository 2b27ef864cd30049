import 'server-only'
import type { Cell } from './amount-text.ts'

/** The order of day and month in dates such as `03/04/2026`. */
export type DateOrder = 'dmy' | 'mdy'

export interface ColumnDates {
  /** `certain`: without it. `mixed`: both orders. `swapped`: a spreadsheet may have read some in the wrong order. */
  readonly verdict: DateOrder | 'certain' | 'undecided' | 'mixed' | 'swapped'
  /** The first cells that show the verdict. `readings`: ISO 8601. */
  readonly examples: readonly (Cell & { readonly readings: Readonly<Record<DateOrder, string | null>> })[]
}

const CENTURY = 2000
const DAY_MS = 86_400_000
const OLD_DAYS = 2 * 366
const MONTHS: Readonly<Record<string, string>> = {
  ...{ jan: '01', feb: '02', mar: '03', mär: '03', mrt: '03', maa: '03', apr: '04', may: '05', mai: '05', mei: '05' },
  ...{ jun: '06', jul: '07', aug: '08', sep: '09', oct: '10', okt: '10', nov: '11', dec: '12', dez: '12' },
}
const TIME = '(?:[T ,].*)?$'
const YEAR_FIRST = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${TIME}`)
const WITHOUT_MARKS = new RegExp(`^((?:19|20)\\d{2})(\\d{2})(\\d{2})${TIME}`)
/** QIF writes `5/25'26`. */
const YEAR_LAST = new RegExp(`^(\\d{1,2})[-/.](\\d{1,2})[-/.'](\\d{4}|\\d{2})${TIME}`)
const TWO_DIGITS = /^\s*(\d\d)([-/.])(\d\d?)\2(\d\d)(?!\d)/
const DAY_AND_NAME = new RegExp(`^(\\d{1,2})[-. ]+(\\p{L}{3,9})\\.?[-., ]+(\\d{4}|\\d{2})${TIME}`, 'u')
const NAME_AND_DAY = new RegExp(`^(\\p{L}{3,9})\\.?\\s+(\\d{1,2}),?\\s+(\\d{4})${TIME}`, 'u')

/** ISO 8601. Null for a day that does not exist, undefined for a text that is no date. */
export function readDate(text: string, order: DateOrder): string | null | undefined {
  const date = text.trim()
  const [, year, month, day] = YEAR_FIRST.exec(date) ?? WITHOUT_MARKS.exec(date) ?? []
  if (year !== undefined) return dayOf(year, month, day)
  const [, first, second, lastYear] = YEAR_LAST.exec(date) ?? []
  if (lastYear !== undefined) return order === 'dmy' ? dayOf(lastYear, second, first) : dayOf(lastYear, first, second)
  const [, dayBefore, nameAfter, yearAfter] = DAY_AND_NAME.exec(date) ?? []
  const [, nameBefore, dayAfter, yearLast] = NAME_AND_DAY.exec(date) ?? []
  const named = MONTHS[(nameAfter ?? nameBefore ?? '').toLowerCase().slice(0, 3)]
  return named === undefined ? undefined : dayOf(yearAfter ?? yearLast ?? '', named, dayBefore ?? dayAfter)
}

/** `month` and day as `0531`. Null if the day does not exist. */
export function isoDay(year: number, monthAndDay: string): string | null {
  const day = `${year}-${monthAndDay.slice(0, 2)}-${monthAndDay.slice(2)}`
  const time = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(time.getTime()) || !time.toISOString().startsWith(day) ? null : day
}

function dayOf(year: string, month = '', day = ''): string | null {
  const full = year.length === 2 ? CENTURY + Number(year) : Number(year)
  return isoDay(full, month.padStart(2, '0') + day.padStart(2, '0'))
}

/** Such as 30 February: banks count interest in months of 30 days. */
export const isPastMonthEnd = (text: string): boolean =>
  [...text.matchAll(/29|30|31/g)].some(({ index }) => {
    const earlier = `${text.slice(0, index)}28${text.slice(index + 2)}`
    return Boolean(readDate(earlier, 'dmy') ?? readDate(earlier, 'mdy'))
  })

/** Such as `26-05-04`: recent only with the year first. */
function isYearFirst(text: string): boolean {
  const [, year = '', , month, day = ''] = TWO_DIGITS.exec(text) ?? []
  const [ago = 0, otherAgo = 0] = [dayOf(year, month, day), dayOf(day, month, year)].map(
    (one) => (Date.now() - Date.parse(one ?? '')) / DAY_MS,
  )
  return (otherAgo < -1 || otherAgo > OLD_DAYS) && Math.abs(ago) < Math.abs(otherAgo)
}

/** Where points separate them, the day comes before the month. */
export function judgeDates(cells: readonly Cell[]): ColumnDates {
  const dates = cells.flatMap((cell) => {
    const [, first = '', second = '', year = ''] = YEAR_LAST.exec(cell.text) ?? []
    const readings = { dmy: dayOf(year, second, first), mdy: dayOf(year, first, second) }
    return readings.dmy === readings.mdy ? [] : [{ ...cell, readings }]
  })
  const doubtful = dates.find(({ text }) => isYearFirst(text))
  if (doubtful !== undefined) return { verdict: 'mixed', examples: [doubtful] }
  const left = dates.find(({ text }) => !hasPoints(text) && !/\p{L}{3}/u.test(text))
  // A day after the 12th was not swapped.
  const days = cells.flatMap(({ text }) => YEAR_FIRST.exec(text)?.[3] ?? [])
  if (left !== undefined && days.length > 0 && days.every((day) => Number(day) <= 12))
    return { verdict: 'swapped', examples: [left] }
  const shows = (order: DateOrder, other: DateOrder) =>
    dates.find(
      ({ text, readings }) =>
        readings[order] !== null && (readings[other] === null || (order === 'dmy' && hasPoints(text))),
    )
  const [dmy, mdy] = [shows('dmy', 'mdy'), shows('mdy', 'dmy')]
  if (dmy !== undefined && mdy !== undefined) return { verdict: 'mixed', examples: [dmy, mdy] }
  if (dmy !== undefined) return { verdict: 'dmy', examples: [dmy] }
  if (mdy !== undefined) return { verdict: 'mdy', examples: [mdy] }
  return dates.length === 0
    ? { verdict: 'certain', examples: [] }
    : { verdict: 'undecided', examples: dates.slice(0, 1) }
}

const hasPoints = (text: string): boolean => /^\s*\d{1,2}\./.test(text)
