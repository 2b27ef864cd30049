import { cookies } from 'next/headers'
import { HANDLE_COOKIE, handleCookieOptions } from '#lib/session/cookie.ts'
import { endSession } from '#lib/session/end-session.ts'
import { json, serveOwn } from '../../answer.ts'

/** Ends the session here: the vault's row goes, and with it every token. */
export function POST(request: Request): Promise<Response> {
  return serveOwn(request, async (session) => {
    await endSession(session.id, 'signed-out')
    const jar = await cookies()
    jar.set(HANDLE_COOKIE, '', { ...handleCookieOptions, maxAge: 0 })
    return json({ ok: true, to: '/signed-out' })
  })
}
