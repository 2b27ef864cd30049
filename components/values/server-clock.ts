/** Milliseconds that the server's clock is ahead of the browser's; 0 on the server. */
let aheadMs = 0

/** Tolerates the transfer time and the whole seconds of `Date` headers. */
const APART_MS = 5_000
const HALF_SECOND_MS = 500

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
