import { cookies } from 'next/headers'
import { HANDLE_COOKIE, handleCookieOptions, SIGNING_OUT_COOKIE, signingOutCookieOptions } from '#lib/session/cookie.ts'
import { signOut } from '#lib/session/sign-out/sign-out.ts'
import { json, serveSession } from '../../answer.ts'

/** Returns the address of the identity provider, so that the browser ends that session too. */
export const POST = (request: Request): Promise<Response> =>
  serveSession(request, async (session) => {
    const { to, state } = await signOut(session)
    const jar = await cookies()
    jar.set(HANDLE_COOKIE, '', { ...handleCookieOptions, maxAge: 0 })
    if (state !== null) jar.set(SIGNING_OUT_COOKIE, state, signingOutCookieOptions)
    const answer = json({ ok: true, to })
    // Without "cookies": the provider's redirect back needs the cookie set above.
    answer.headers.set('clear-site-data', '"cache", "storage"')
    return answer
  })
