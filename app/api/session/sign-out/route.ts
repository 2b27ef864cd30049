import { cookies } from 'next/headers'
import { HANDLE_COOKIE, handleCookieOptions, SIGNING_OUT_COOKIE, signingOutCookieOptions } from '#lib/session/cookie.ts'
import { signOut } from '#lib/session/sign-out/sign-out.ts'
import { json, serveOwn } from '../../answer.ts'

/** Ends the session here and answers where the browser goes next: to the identity provider, so that it ends there too. */
export function POST(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    const { to, state } = await signOut(session)
    const jar = await cookies()
    jar.set(HANDLE_COOKIE, '', { ...handleCookieOptions, maxAge: 0 })
    if (state !== null) jar.set(SIGNING_OUT_COOKIE, state, signingOutCookieOptions)
    const answer = json({ ok: true, to })
    // Cookies have been told by name: the provider's answer is still to come, and needs one of them.
    answer.headers.set('clear-site-data', '"cache", "storage"')
    return answer
  })
}
