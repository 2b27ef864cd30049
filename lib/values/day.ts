const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** `2026-11-20`. */
export const isDay = (text: string): boolean =>
  DAY.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

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
