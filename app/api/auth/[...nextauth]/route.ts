import type { NextRequest } from 'next/server'
import { config } from '#lib/config/config.ts'
import { currentSession } from '#lib/session/current.ts'
import { judgeStep } from '#lib/session/sign-in/handshake-request.ts'
import { handshake } from '#lib/session/sign-in/next-auth.ts'
import { movingPage } from '../../../(auth)/plain-page.ts'
import { json, refuse, unavailable } from '../../answer.ts'

async function handle(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const step = (await context.params).nextauth.join('/')
  if (step === 'session' && request.method === 'GET') return await displayName().catch(unavailable)
  const judged = await judgeStep(request, step)
  if (!judged.ok) {
    const refusal = refuse(judged.status, judged.why)
    if (judged.allow !== undefined) refusal.headers.set('allow', judged.allow)
    return refusal
  }
  return ledToProvider(await handshake(judged.request, context))
}

/** Browsers apply the form's policy to every redirect after it, also between providers. A page has no such limit. */
function ledToProvider(response: Response): Response {
  const location = URL.parse(response.headers.get('location') ?? '', config().baseUrl)
  if (location === null || location.origin === new URL(config().baseUrl).origin) return response
  const page = movingPage('Signing in', location.href, `Continue to ${config().sso.name}`)
  for (const cookie of response.headers.getSetCookie()) page.headers.append('set-cookie', cookie)
  return page
}

/** Answered here instead of by next-auth, which would set its session cookie again. */
async function displayName(): Promise<Response> {
  const session = await currentSession()
  return json(session === null ? {} : { user: { name: session.displayName }, expires: session.endsAt })
}

export { handle as GET, handle as POST }
