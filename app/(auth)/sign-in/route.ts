import { NextRequest } from 'next/server'
import { alertVariants } from '#components/ui/alert.tsx'
import { buttonVariants } from '#components/ui/button.tsx'
import { fieldControl, fieldFrame } from '#components/ui/input.tsx'
import { config } from '#lib/config/config.ts'
import { currentSession } from '#lib/session/current.ts'
import { Session } from '#lib/session/session.ts'
import { judgeStep } from '#lib/session/sign-in/handshake-request.ts'
import { csrfPair, handshake } from '#lib/session/sign-in/next-auth.ts'
import { landing, safeReturnPath, signInPath } from '#lib/session/sign-in/paths.ts'
import type { Html } from '#lib/values/html.ts'
import { ownProperty } from '#lib/values/words.ts'
import { alertIcon, faultPage, html, KEY_ICON, notNow, plainPage } from '../plain-page.ts'
import { isHeldOff, reasonWords, requestIdIn } from './sign-in-reasons.ts'

/** Button labels by refusal reason. The provider has to prompt, or it silently sends the same person again. */
const anewWords: Readonly<Record<string, string>> = {
  'not-staff': 'Sign in with another account',
  'groups-left-out': 'Sign in with another account',
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
    return faultPage(NOT_SIGNED_IN, error)
  }
  return await shown({
    to,
    notice: wordsOf(query),
    requestId: requestIdIn(query.get('request')),
    promptLabel: ownProperty(anewWords, query.get('why') ?? '') ?? null,
    refused: null,
  })
}

/** The password form. Errors are rendered in the answer, so that no input is in an address. */
export async function POST(request: NextRequest): Promise<Response> {
  const judged = await judgeStep(request, 'callback/password')
  if (!judged.ok) return notNow(NOT_SIGNED_IN, judged.status, judged.why)
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
  const page = await shown({ to, notice: null, requestId, promptLabel: null, refused: { email, fault } })
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

const NOT_SIGNED_IN = 'Not signed in'

const wordsOf = (query: URLSearchParams): string | null => reasonWords(query.get('why'), query.get('seconds'))

interface SignInPage {
  readonly to: string
  readonly csrfToken: string
  readonly notice: string | null
  /** The id of the failed request, for support; null when no log line has it. */
  readonly requestId: string | null
  /** The label of the single sign-on button when the provider has to prompt; null when it may reuse its session. */
  readonly promptLabel: string | null
  /** A refused password attempt: the e-mail address stays in its field. */
  readonly refused: { readonly email: string; readonly fault: string } | null
}

function signInPage(page: SignInPage): Response {
  const { notice, requestId } = page
  return plainPage({
    title: 'Sign in',
    body: html`<div class="grid gap-5">
<h1>Sign in</h1>
${
  notice === null
    ? null
    : html`<div role="alert" class="${alertVariants({ variant: 'attention' })}">${alertIcon()}<div class="col-start-2 break-words">${notice}${requestLine(requestId)}</div></div>`
}
${ssoForm(page)}
${config().passwordSignIn ? passwordForm(page) : null}
</div>`,
  })
}

const requestLine = (id: string | null): Html | null =>
  id === null
    ? null
    : html`<span class="mt-1 block">Quote this request id: <code class="break-all font-mono text-xs">${id}</code></span>`

const csrfField = (token: string): Html => html`<input type="hidden" name="csrfToken" value="${token}">`

const ssoForm = ({ to, csrfToken, promptLabel }: SignInPage): Html =>
  html`<form method="post" action="/api/auth/signin/sso${promptLabel === null ? null : '?prompt=login'}" class="grid gap-2">
${csrfField(csrfToken)}
<input type="hidden" name="callbackUrl" value="${landing(to)}">
<button type="submit" class="${buttonVariants({ size: 'lg' })}">${KEY_ICON}${
    promptLabel ?? `Continue with ${config().sso.name}`
  }</button>
</form>`

/** After a refusal, the e-mail address stays and the password has to be typed again. */
const passwordForm = ({ to, csrfToken, refused, requestId }: SignInPage): Html =>
  html`<form method="post" action="${signInPath(null, to)}" class="grid gap-1 border-t pt-5">
${csrfField(csrfToken)}
<h2 class="mb-2 font-[550] text-secondary-foreground">Or with a password</h2>
${field({ name: 'email', label: 'E-mail', autocomplete: 'username', value: refused?.email ?? '', fault: null, requestId: null })}
${field({ name: 'password', label: 'Password', autocomplete: 'current-password', value: '', fault: refused?.fault ?? null, requestId })}
<button type="submit" class="${buttonVariants({ variant: 'outline' })} mt-2">Sign in with a password</button>
</form>`

interface Field {
  /** Also the type of the input. */
  readonly name: 'email' | 'password'
  readonly label: string
  readonly autocomplete: string
  readonly value: string
  /** The field with a fault gets the focus. */
  readonly fault: string | null
  readonly requestId: string | null
}

const field = ({ name, label, autocomplete, value, fault, requestId }: Field): Html =>
  html`<div class="min-w-0">
<label for="${name}" class="mb-1 block font-[550] text-sm">${label}</label>
<div class="${fieldFrame} flex min-h-8.5 items-center gap-2"><input id="${name}" name="${name}" type="${name}" value="${value}" autocomplete="${autocomplete}" required spellcheck="false" aria-describedby="${name}-note"${
    fault === null ? null : html` aria-invalid="true" autofocus`
  } class="${fieldControl} min-w-0 flex-1 bg-transparent py-1"></div>
${
  fault === null
    ? html`<p id="${name}-note" class="mt-1 min-h-4"></p>`
    : html`<p id="${name}-note" class="mt-1 flex min-h-4 gap-1.5 text-danger text-xs">${alertIcon('mt-px size-3.5 shrink-0')}<span class="min-w-0 break-words">${fault}${requestLine(requestId)}</span></p>`
}
</div>`
