import { type Announcement, LEAVING_COOKIE } from '#lib/session/unsent-text-place.ts'

/** Longer than the next page takes to be asked for. */
const ON_ITS_WAY_SECONDS = 10
/** Longer than it takes to sign in again. */
const FAILED_SECONDS = 3_600
/** A cookie takes 4 kB. */
const ANNOUNCEMENTS_MOST = 5

/** What pages have announced; that of pages before this one is there as long as no page has told its person of it. */
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
  // Writing may be put off, but a read waits for it: so the cookie goes along when the next page is asked for.
  void document.cookie
}

/** Tells the server, with whatever is asked for next, which writes of this page the store has not taken. */
export function announce(page: string, ofThisPage: readonly Announcement[]): void {
  const places = new Set(ofThisPage.map(({ place }) => place))
  const before = announcements().filter((one) => one.failed && one.page !== page && !places.has(one.place))
  write([...before, ...ofThisPage])
}

/** The person has been told of what was announced for this place: the next page is not to tell them again. */
export const forgetAnnounced = (place: string): void => write(announcements().filter((one) => one.place !== place))
