import { type Announcement, LEAVING_COOKIE } from '#lib/session/unsent-text-place.ts'

/** Lasts until the browser requests the next page. */
const ON_ITS_WAY_SECONDS = 10
/** Enough time to sign in again. */
const FAILED_SECONDS = 3_600
/** A cookie holds at most 4 kB. */
const ANNOUNCEMENTS_MOST = 5

/** Includes announcements of earlier pages until a page has shown them. */
function announcements(): readonly Announcement[] {
  try {
    const cookie = document.cookie.split('; ').find((one) => one.startsWith(`${LEAVING_COOKIE}=`)) ?? ''
    return JSON.parse(decodeURIComponent(cookie.slice(LEAVING_COOKIE.length + 1))) as readonly Announcement[]
  } catch {
    return []
  }
}

function write(all: readonly Announcement[]): void {
  const latest = all.slice(-ANNOUNCEMENTS_MOST)
  const seconds = latest.some(({ failed }) => failed) ? FAILED_SECONDS : ON_ITS_WAY_SECONDS
  const value = encodeURIComponent(JSON.stringify(latest))
  // biome-ignore lint/suspicious/noDocumentCookie: a page that is being left has no time for the asynchronous way.
  document.cookie = `${LEAVING_COOKIE}=${value}; path=/; max-age=${latest.length === 0 ? 0 : seconds}; samesite=strict; secure`
  // Browsers may delay the write; reading forces it before the next request.
  void document.cookie
}

/** Tells the server, through a cookie on the next request, which writes are not stored yet. */
export function announce(page: string, ofThisPage: readonly Announcement[]): void {
  const places = new Set(ofThisPage.map(({ place }) => place))
  const before = announcements().filter((one) => one.failed && one.page !== page && !places.has(one.place))
  write([...before, ...ofThisPage])
}

/** Call once the operator has seen the announcement. */
export const forgetAnnounced = (place: string): void => write(announcements().filter((one) => one.place !== place))
