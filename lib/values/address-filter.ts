import { isStorable } from '#lib/contract/json.ts'
import { visibleText } from './text.ts'
import { absoluteDay, dayAfter, dayStart, expectedDay, isDayOrRelative, isZone } from './time.ts'

/** First and last day in `zone`: `2026-11-20`, `today`, `yesterday` or `today-6`. */
export interface Days {
  readonly from: string
  readonly to: string
  readonly zone: string
}

export const ME = 'me'

/** Phones write `Me`. */
export const personIn = (text: string): string => (text.toLowerCase() === ME ? ME : text)

const TEXT_MAX_CHARS = 500

/** `take` ignores an invalid value and reports it in `faults`. */
export function filterReader(query: URLSearchParams) {
  const faults: string[] = []
  const textOf = (name: string): string => (query.get(name) ?? '').trim()
  const take = (name: string, fits: (text: string) => boolean, otherwise: string): string => {
    const text = textOf(name)
    if (text === '') return ''
    if (text.length <= TEXT_MAX_CHARS && isStorable(text) && fits(text)) return text
    faults.push(`“${visibleText(text).slice(0, 40)}” ${otherwise}`)
    return ''
  }
  const takeDays = (fits = isDayOrRelative): Days => {
    const [from = '', to = ''] = ['from', 'to'].map((name) =>
      take(name, fits, `is not ${expectedDay(textOf(name))}, so all days are shown. Use the form 2026-11-20.`),
    )
    const days = { from, to, zone: take('zone', isZone, 'is not a time zone, so days are in UTC.') }
    const { from: first, to: last } = withAbsoluteDays(days)
    if (first !== '' && last !== '' && last < first) faults.push('The last day is before the first.')
    return days
  }
  return { faults, textOf, take, takeDays }
}

export function withAbsoluteDays<Filter extends Days>(filter: Filter): Filter {
  const zone = filter.zone === '' ? 'UTC' : filter.zone
  return { ...filter, from: absoluteDay(filter.from, zone), to: absoluteDay(filter.to, zone) }
}

export const zoneOf = (days: Days | null, zoneOfNew: string): string =>
  days?.zone || (days?.from || days?.to ? 'UTC' : zoneOfNew)

/** ISO 8601; `until` is exclusive, and null means no bound. */
export function boundsOf(days: Days): { readonly since: string | null; readonly until: string | null } {
  const { from, to, zone } = withAbsoluteDays(days)
  const inZone = zone === '' ? 'UTC' : zone
  return {
    since: from === '' ? null : dayStart(from, inZone),
    until: to === '' ? null : dayStart(dayAfter(to), inZone),
  }
}

/** Without the `dropped` parameters, and those whose value is empty. */
export function withParameters<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
  values: { readonly [Each in Name]?: string },
  dropped: readonly string[],
): URLSearchParams {
  const changed = new URLSearchParams(query)
  for (const name of [...dropped, ...names]) changed.delete(name)
  for (const name of names) if (values[name]) changed.set(name, values[name])
  return changed
}
