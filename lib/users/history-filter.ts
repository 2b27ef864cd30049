import { boundsOf, type Days, filterReader, withParameters } from '#lib/values/address-filter.ts'
import { isDay } from '#lib/values/time.ts'

/** An empty text matches everything. Field names are the query parameters. Creation days, `2026-11-20`. */
export interface HistoryFilter extends Days {
  readonly state: string
  readonly type: string
}

const names = ['state', 'type', 'from', 'to', 'zone'] as const

export function readHistoryFilter(query: URLSearchParams) {
  const { faults, textOf, takeDays } = filterReader(query)
  const filter = { state: textOf('state'), type: textOf('type'), ...takeDays(isDay) }
  const wanted = [filter.state, filter.type, filter.from, filter.to].some((text) => text !== '')
  return { filter: wanted ? filter : null, faults }
}

export const withHistoryFilter = (query: URLSearchParams, filter: HistoryFilter | null): URLSearchParams =>
  withParameters(query, names, filter ?? {}, ['page', 'after'])

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

export function fitsFilter({ state, type, ...days }: HistoryFilter): (row: Filtered) => boolean {
  const { since, until } = boundsOf(days)
  return (row) => {
    const at = Date.parse(row.createdAt)
    return (
      (state === '' || row.state === state) &&
      (type === '' || row.transactionType === type) &&
      (since === null || at >= Date.parse(since)) &&
      (until === null || at < Date.parse(until))
    )
  }
}
