/** Milliseconds by which the server's clock is ahead of the browser's. Never set on the server. */
let aheadMs = 0

/** Smaller differences are ignored: an answer takes time, and its `Date` header has whole seconds. */
const APART_MS = 5_000
const HALF_SECOND_MS = 500

/** Milliseconds since 1970 by the server's clock. Compare times from the server with this. */
export const serverNowMs = (): number => Date.now() + aheadMs

/** `serverMs`: when the server made this page, which the browser takes as the moment when the response began. */
export function setServerClock(serverMs: number): void {
  if (typeof window === 'undefined') return
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const arrivedMs = Date.now() - (performance.now() - (navigation?.responseStart ?? 0))
  aheadMs = serverMs - arrivedMs
}

/** Corrects the offset if the browser's clock has been set since. */
export function correctServerClock({ headers }: Pick<Response, 'headers'>): void {
  const serverMs = Date.parse(headers.get('date') ?? '') + HALF_SECOND_MS
  if (Math.abs(serverMs - serverNowMs()) > APART_MS) aheadMs = serverMs - Date.now()
}
