import 'server-only'
import { randomUUID } from 'node:crypto'

/**
 * The only cookie that means anything: the handle. `__Host-` binds it to this origin, Secure keeps it off plain http
 * (browsers make an exception for localhost), HttpOnly keeps it from scripts, Strict from other sites' requests.
 */
export const HANDLE_COOKIE = '__Host-console.sid'

export const handleCookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' } as const

const ROUTE_COOKIE = '__Host-console.route'

/**
 * A balancer keeps a session on one process by this cookie. The handle would not do, since it is replaced after each code.
 * The value is random: it names nobody and opens nothing.
 */
export const routeCookie = (maxAgeSeconds: number): string =>
  `${ROUTE_COOKIE}=${randomUUID()}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`

/** Remembers, while a browser is at the identity provider to sign out, which `state` it has to come back with. */
export const SIGNING_OUT_COOKIE = '__Host-console.signing-out'

/** It comes back by a navigation from the provider's site, so it cannot be Strict. */
export const signingOutCookieOptions = {
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'lax',
  maxAge: 600,
} as const
