/** By how much the server's clock is ahead of this browser's, in milliseconds. The server itself never sets it. */
let aheadMs = 0

/** Two clocks that are less apart than this are taken as one: an answer takes a moment, and its `Date` has whole seconds. */
const APART_MS = 5_000
const HALF_SECOND_MS = 500

/** The present by the server's clock: for all times that the server gives. Milliseconds since 1970. */
export const serverNowMs = (): number => Date.now() + aheadMs

/** `serverMs`: when the server made this page. In the browser that moment is when the answer began to arrive. */
export function setServerClock(serverMs: number): void {
  if (typeof window === 'undefined') return
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const arrivedMs = Date.now() - (performance.now() - (navigation?.responseStart ?? 0))
  aheadMs = serverMs - arrivedMs
}

/** Corrects the clock by an answer of the server, when this browser's was set meanwhile. */
export function correctServerClock({ headers }: Pick<Response, 'headers'>): void {
  const serverMs = Date.parse(headers.get('date') ?? '') + HALF_SECOND_MS
  if (Math.abs(serverMs - serverNowMs()) > APART_MS) aheadMs = serverMs - Date.now()
}
