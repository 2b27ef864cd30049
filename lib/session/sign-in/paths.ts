import 'server-only'

/** Set by the proxy on every request: the path and query that the browser asked for. */
export const CONSOLE_PATH_HEADER = 'x-console-path'

/** Why the person has to sign in. */
export type WhySignIn =
  | 'ended'
  /** Somebody who administers ended it. */
  | 'ended-by-admin'
  /** A form whose token does not fit the browser's cookie. */
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
  /** Not in a way that OIDC_ACR_VALUES and OIDC_AMR_VALUES ask for. */
  | 'sign-in-class'
  /** Held off after failures. */
  | 'wait'
  /** Too many sign in with a password at once. */
  | 'busy'
  | 'not-staff'
  | 'unchecked'
  | 'not-saved'

const HERE = 'http://console.invalid'

/** A text as a browser resolves it on a page of this console; null when it leads elsewhere, or would when resolved again. */
function pathHere(text: string): string | null {
  const url = URL.parse(text, HERE)
  return url?.origin === HERE && !url.pathname.startsWith('//') ? url.pathname + url.search : null
}

/**
 * A path within this console; anything else becomes the start page, so that sign-in never leads elsewhere. What the parser
 * makes of it is judged, not the text: `/.//evil` is a path here, and comes out as `//evil`, which is a host.
 */
export function safeReturnPath(to: string | null | undefined): string {
  if (!to?.startsWith('/') || to.includes('\\') || to.length > 4096) return '/'
  const path = pathHere(to)
  return path !== null && pathHere(path) === path ? path : '/'
}

interface SignInHint {
  /** When to try again. */
  readonly seconds?: number | undefined
  /** The id of the request that failed, for the person to quote. */
  readonly requestId?: string | undefined
}

/** The sign-in page, saying why, and where to go afterwards. */
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

/** Where a sign-in lands: a public page that moves on by itself, so that the Strict cookie is sent. */
export const landing = (to: string): string => `/signed-in?${new URLSearchParams({ to: safeReturnPath(to) })}`

/** Where a {@link landing} leads on to. */
export const landedAt = (address: string | null): string =>
  safeReturnPath(URL.parse(address ?? '', HERE)?.searchParams.get('to'))
