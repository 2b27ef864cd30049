import type { NextRequest } from 'next/server'
import { currentSession } from '#lib/session/current.ts'
import { judgeStep } from '#lib/session/sign-in/handshake-request.ts'
import { handshake } from '#lib/session/sign-in/next-auth.ts'
import { json, refuse, unavailable } from '../../answer.ts'

interface Context {
  readonly params: Promise<{ nextauth: string[] }>
}

/** Serves only the sign-in steps. */
async function handle(request: NextRequest, context: Context): Promise<Response> {
  const step = (await context.params).nextauth.join('/')
  if (step === 'session' && request.method === 'GET') return await displayName().catch(unavailable)
  const judged = await judgeStep(request, step)
  if (!judged.ok) {
    const refusal = refuse(judged.status, judged.why)
    if (judged.allow !== undefined) refusal.headers.set('allow', judged.allow)
    return refusal
  }
  return await handshake(judged.request, context)
}

/** Answered here instead of by next-auth, which would set its session cookie again. */
async function displayName(): Promise<Response> {
  const session = await currentSession()
  return json(session === null ? {} : { user: { name: session.displayName }, expires: session.endsAt })
}

export { handle as GET, handle as POST }
