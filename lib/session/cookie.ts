import 'server-only'
import { randomUUID } from 'node:crypto'

/** Browsers accept Secure cookies over plain http from localhost. */
export const HANDLE_COOKIE = '__Host-console.sid'

export const handleCookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' } as const

const ROUTE_COOKIE = '__Host-console.route'

/** Load balancers route by this cookie, since the handle changes. It is random and gives no access. */
export const routeCookie = (maxAgeSeconds: number): string =>
  `${ROUTE_COOKIE}=${randomUUID()}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Strict`

/** Holds the `state` that the identity provider must return after a sign-out. */
export const SIGNING_OUT_COOKIE = '__Host-console.signing-out'

/** Not Strict: the browser returns from the provider's site. */
export const signingOutCookieOptions = {
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'lax',
  maxAge: 600,
} as const
