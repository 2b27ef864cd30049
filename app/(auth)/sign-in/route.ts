import { unstable_rethrow } from 'next/navigation'
import { NextRequest } from 'next/server'
import { consoleProblem } from '#lib/commands/running-sends.ts'
import { config } from '#lib/config/config.ts'
import { currentSession } from '#lib/session/current.ts'
import { Session } from '#lib/session/session.ts'
import { judgeStep } from '#lib/session/sign-in/handshake-request.ts'
import { csrfPair, handshake } from '#lib/session/sign-in/next-auth.ts'
import { landing, safeReturnPath } from '#lib/session/sign-in/paths.ts'
import { own } from '#lib/values/own.ts'
import { html } from '../html.ts'
import { LINK, plainPage } from '../plain-page.ts'
import { type SignInPage, signInPage } from './sign-in-page.ts'
import { isHeldOff, requestIdIn, whyWords } from './why-words.ts'

/**
 * Button labels by refusal reason. The identity provider has to prompt, or it would silently send the same person
 * again.
 */
const anewWords: Readonly<Record<string, string>> = {
  'not-staff': 'Sign in as somebody else',
  'sign-in-class': 'Sign in again',
}

export async function GET({ nextUrl }: NextRequest): Promise<Response> {
  const query = nextUrl.searchParams
  const to = safeReturnPath(query.get('to'))
  try {
    const session = await currentSession()
    // A browser with a replaced handle never received the new one, so it has to sign in again.
    if (session !== null && !Session.handleOf(session).isReplaced) return movedTo(to)
  } catch (error) {
    unstable_rethrow(error)
    const { status, title } = consoleProblem(error)
    return notNow(status ?? 500, `${title}.`)
  }
  return await shown({
    to,
    notice: wordsOf(query),
    requestId: requestIdIn(query.get('request')),
    anew: own(anewWords, query.get('why') ?? '') ?? null,
    refused: null,
  })
}

/** The password form. Errors are rendered in the answer, so that no input is in an address. */
export async function POST(request: NextRequest): Promise<Response> {
  const judged = await judgeStep(request, 'callback/password')
  if (!judged.ok) return notNow(judged.status, judged.why)
  const to = safeReturnPath(request.nextUrl.searchParams.get('to'))
  const form = new URLSearchParams(await judged.request.text())
  const [csrfToken = '', email = '', password = ''] = ['csrfToken', 'email', 'password'].map(
    (name) => form.get(name) ?? '',
  )
  const body = new URLSearchParams({ csrfToken, email, password, callbackUrl: landing(to) })
  const step = new NextRequest(`${config().baseUrl}/api/auth/callback/password`, { method: 'POST', body })
  const answer = await handshake(step, { params: Promise.resolve({ nextauth: ['callback', 'password'] }) })
  const next = new URL(answer.headers.get('location') ?? '', config().baseUrl)
  if (next.pathname === '/signed-in') return answer
  // A person who is not staff gets a page that says so. Any other error is shown beside the password.
  if (next.searchParams.get('why') === 'not-staff') return movedTo(next.pathname + next.search)
  const fault = wordsOf(next.searchParams) ?? ''
  const requestId = requestIdIn(next.searchParams.get('request'))
  const page = await shown({ to, notice: null, requestId, anew: null, refused: { email, fault } })
  if (!isHeldOff(next.searchParams.get('why'))) return page
  page.headers.set('retry-after', next.searchParams.get('seconds') ?? '')
  return new Response(page.body, { status: 429, headers: page.headers })
}

async function shown(page: Omit<SignInPage, 'csrfToken'>): Promise<Response> {
  const { csrfToken, cookies } = await csrfPair()
  const response = signInPage({ ...page, csrfToken })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

const movedTo = (path: string): Response => new Response(null, { status: 303, headers: { location: path } })

const notNow = (status: number, why: string): Response =>
  plainPage({
    title: 'Not signed in',
    status,
    body: html`<h1>Not signed in</h1>
<p class="mt-1 text-secondary-foreground">${why} <a href="/sign-in" class="${LINK}">Go to sign-in</a></p>`,
  })

const wordsOf = (query: URLSearchParams): string | null => whyWords(query.get('why'), query.get('seconds'))
