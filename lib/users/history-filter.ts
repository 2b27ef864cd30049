import { dayAfter, dayStart, expectedDay, isDay, isZone } from '#lib/values/time.ts'
import { visibleText } from '#lib/values/visible-text.ts'

/** An empty text matches everything. Field names are the query parameters. */
export interface HistoryFilter {
  readonly state: string
  readonly type: string
  /** First and last creation day, `2026-11-20`, in `zone`. */
  readonly from: string
  readonly to: string
  readonly zone: string
}

const names = ['state', 'type', 'from', 'to', 'zone'] as const

interface ReadFilter {
  readonly filter: HistoryFilter | null
  readonly faults: readonly string[]
}

export function readHistoryFilter(query: URLSearchParams): ReadFilter {
  const faults: string[] = []
  const text = (name: string) => query.get(name)?.trim() ?? ''
  const take = (name: string, fits: (text: string) => boolean, otherwise: string): string => {
    const given = text(name)
    if (given === '' || fits(given)) return given
    faults.push(`“${visibleText(given).slice(0, 40)}” ${otherwise}`)
    return ''
  }
  const takeDay = (name: string) =>
    take(name, isDay, `is not ${expectedDay(text(name))}, so all days are shown. Use the form 2026-11-20.`)
  const [from, to] = [takeDay('from'), takeDay('to')]
  if (from !== '' && to !== '' && to < from) faults.push('The last day is before the first.')
  const zone = take('zone', isZone, 'is not a time zone, so days are in UTC.')
  const filter = { state: text('state'), type: text('type'), from, to, zone }
  const wanted = filter.state !== '' || filter.type !== '' || from !== '' || to !== ''
  return { filter: wanted ? filter : null, faults }
}

export function withHistoryFilter(query: URLSearchParams, filter: HistoryFilter | null): URLSearchParams {
  const changed = new URLSearchParams(query)
  for (const name of ['page', 'after']) changed.delete(name)
  for (const name of names) {
    const value = filter?.[name] ?? ''
    if (value === '') changed.delete(name)
    else changed.set(name, value)
  }
  return changed
}

/** Where this filtered page and those before it start: after this many of the newest rows, when there were `of`. */
export interface HistoryStarts {
  readonly after: readonly number[]
  readonly of: number
}

const startsShape = /^(\d{1,9}(?:\.\d{1,9})*)of(\d{1,9})$/

/** From `60.140of161`. Null when it is not valid. */
export function readHistoryStarts(query: URLSearchParams): HistoryStarts | null {
  const text = query.get('after') ?? ''
  if (text === '') return { after: [], of: 0 }
  const [, after = '', of] = startsShape.exec(text) ?? []
  const starts = { after: after.split('.').map(Number), of: Number(of) }
  return starts.after.every((place) => place <= starts.of) ? starts : null
}

/** Empty for the first page. */
export const startsText = ({ after, of }: HistoryStarts): string =>
  after.length === 0 ? '' : `${after.join('.')}of${of}`

interface Filtered {
  readonly state: string
  readonly transactionType: string
  /** ISO 8601 in UTC; compare as times, because fractions vary in length. */
  readonly createdAt: string
}

export function fitsFilter({ state, type, from, to, zone }: HistoryFilter): (row: Filtered) => boolean {
  const inZone = zone === '' ? 'UTC' : zone
  const since = from === '' ? Number.NEGATIVE_INFINITY : Date.parse(dayStart(from, inZone))
  const until = to === '' ? Number.POSITIVE_INFINITY : Date.parse(dayStart(dayAfter(to), inZone))
  return (row) => {
    const at = Date.parse(row.createdAt)
    return (
      (state === '' || row.state === state) &&
      (type === '' || row.transactionType === type) &&
      at >= since &&
      at < until
    )
  }
}
