import type { NextRequest } from 'next/server'
import { currentSession } from '#lib/session/current.ts'
import { handshake } from '#lib/session/next-auth.ts'
import { json, refuse } from '../../answer.ts'

interface Context {
  readonly params: Promise<{ nextauth: string[] }>
}

/** The handshake alone. next-auth's other actions (its own sign-out, its providers' list) are not ours. */
const HANDSHAKE = new Set(['csrf', 'signin', 'callback', 'error'])

/** next-auth reads a body whole. None of the handshake's comes near this. */
const BODY_MAX_BYTES = 64 * 1024

async function handle(request: NextRequest, context: Context): Promise<Response> {
  const [action = ''] = (await context.params).nextauth
  if (action === 'session' && request.method === 'GET') return await displayName()
  if (!HANDSHAKE.has(action)) return refuse(404, 'There is nothing here.')
  if (!(Number(request.headers.get('content-length') ?? 0) <= BODY_MAX_BYTES)) {
    return refuse(413, 'This request is too large.')
  }
  return await handshake(request, context)
}

/** Answered here, so that next-auth never sets the session cookie again. */
async function displayName(): Promise<Response> {
  const session = await currentSession()
  return json(session === null ? {} : { user: { name: session.displayName }, expires: session.endsAt })
}

export { handle as GET, handle as POST }
