import 'server-only'

/** The proxy sets it: the path and query that the browser requested. */
export const CONSOLE_PATH_HEADER = 'x-console-path'

export type WhySignIn =
  | 'ended'
  | 'ended-by-admin'
  /** The CSRF token does not match the browser's cookie. */
  | 'stale'
  | 'wrong'
  | 'forbidden'
  | 'locked'
  | 'unavailable'
  | 'unidentified'
  | 'sso-unreachable'
  /** Another attempt may succeed. */
  | 'sso-unfinished'
  /** Another attempt does not help. */
  | 'sso-failed'
  | 'denied'
  | 'sign-in-class'
  /** Too many failures for this account or address. */
  | 'wait'
  | 'busy'
  | 'not-staff'
  | 'groups-left-out'
  | 'unchecked'
  | 'not-saved'

const HERE = 'http://console.invalid'

/** Null when the text leads to another origin, now or when it is resolved again. */
function pathHere(text: string): string | null {
  const url = URL.parse(text, HERE)
  return url?.origin === HERE && !url.pathname.startsWith('//') ? url.pathname + url.search : null
}

/** Prevents open redirects. Checks the parsed URL, because `/.//evil` parses to `//evil`, which is a host. */
export function safeReturnPath(to: string | null | undefined): string {
  if (!to?.startsWith('/') || to.includes('\\') || to.length > 4096) return '/'
  const path = pathHere(to)
  return path !== null && pathHere(path) === path ? path : '/'
}

interface SignInHint {
  readonly seconds?: number | undefined
  readonly requestId?: string | undefined
}

export function signInPath(why: WhySignIn | null, to: string, { seconds, requestId }: SignInHint = {}): string {
  const query = new URLSearchParams()
  if (why !== null) query.set('why', why)
  if (seconds !== undefined) query.set('seconds', String(seconds))
  if (requestId !== undefined) query.set('request', requestId)
  const path = safeReturnPath(to)
  if (path !== '/') query.set('to', path)
  const text = query.toString()
  return text === '' ? '/sign-in' : `/sign-in?${text}`
}

/** A page in between, because browsers do not send a Strict cookie on the redirect from the provider. */
export const landing = (to: string): string => `/signed-in?${new URLSearchParams({ to: safeReturnPath(to) })}`

export const landedAt = (address: string | null): string =>
  safeReturnPath(URL.parse(address ?? '', HERE)?.searchParams.get('to'))
