import 'server-only'

/**
 * The only cookie that means anything: the handle. `__Host-` binds it to this origin, Secure keeps it off plain http
 * (browsers make an exception for localhost), HttpOnly keeps it from scripts, Strict from other sites' requests.
 */
export const HANDLE_COOKIE = '__Host-console.sid'

export const handleCookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' } as const
