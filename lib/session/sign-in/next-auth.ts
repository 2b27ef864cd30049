import 'server-only'
import { NextRequest } from 'next/server'
import NextAuth, { type AuthOptions, type CookieOption } from 'next-auth'
import credentials from 'next-auth/providers/credentials'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import type { AuthorizationServer } from 'oauth4webapi'
import { config } from '#lib/config/config.ts'
import { currentWork, errorName } from '#lib/config/log.ts'
import { HANDLE_COOKIE, handleCookieOptions, routeCookie } from '#lib/session/cookie.ts'
import { type Redeemed, redeemCode } from '#lib/session/vault/tokens.ts'
import { causeOfOAuthError, type FailedSignIn, failSignIn, oauthError } from './failure.ts'
import { DiscoveryFailed, discoverProvider } from './identity-provider.ts'
import { landedAt, signInPath } from './paths.ts'
import { pushRequest } from './pushed-request.ts'
import { type SignIn, signInWithPassword, signInWithSso } from './sign-in.ts'

interface Signing {
  handle?: string
}

const TEN_MINUTES_SECONDS = 600

interface Context {
  readonly params: Promise<{ nextauth: string[] }>
}

/** next-auth does not report why a step failed, so the steps save it here. */
interface Attempt {
  provider: AuthorizationServer | null
  redeemed: Redeemed | null
  failed: FailedSignIn | null
}

export async function handshake(request: NextRequest, context: Context): Promise<Response> {
  const step = (await context.params).nextauth.join('/')
  const to = await destinationOf(request)
  const attempt: Attempt = { provider: null, redeemed: null, failed: null }
  if (step === 'signin/sso') await findProvider(attempt)
  else if (step === 'callback/sso') attempt.failed = refusalOfProvider(request)
  if (attempt.failed !== null) return leadToSignIn(new Response(null, { status: 302 }), attempt.failed, to)
  const response = (await NextAuth(request, context, options(attempt))) as Response
  if (setsHandle(response)) response.headers.append('set-cookie', routeCookie(config().sessionMaxHours * 3600))
  const location = URL.parse(response.headers.get('location') ?? '', config().baseUrl)
  // next-auth redirects to its own pages on failure.
  if (location === null || !location.pathname.startsWith('/api/auth/')) {
    return await withPushedRequest(response, attempt.provider, to)
  }
  return leadToSignIn(response, attempt.failed ?? unexplained(step, attempt, location), to)
}

async function withPushedRequest(
  response: Response,
  provider: AuthorizationServer | null,
  to: string,
): Promise<Response> {
  const address = response.headers.get('location')
  if (provider?.require_pushed_authorization_requests !== true || address === null) return response
  const pushed = await pushRequest(provider, new URL(address))
  if (!(pushed instanceof URL)) return leadToSignIn(response, pushed, to)
  response.headers.set('location', pushed.href)
  return response
}

async function destinationOf(request: NextRequest): Promise<string> {
  if (request.method !== 'POST') return landedAt(request.cookies.get(cookieNames.callbackUrl.name)?.value ?? null)
  return landedAt(new URLSearchParams(await request.clone().text()).get('callbackUrl'))
}

/** Reads discovery every time, to avoid a redirect to an unreachable provider. */
async function findProvider(attempt: Attempt): Promise<void> {
  try {
    attempt.provider = await discoverProvider()
    if (!URL.canParse(attempt.provider.authorization_endpoint ?? ''))
      attempt.failed = failSignIn('sso', 'discovery-invalid')
  } catch (error) {
    attempt.failed = failSignIn('sso', error instanceof DiscoveryFailed ? error.why : 'fault')
  }
}

/** RFC 6749, section 4.1.2.1. */
function refusalOfProvider({ nextUrl }: NextRequest): FailedSignIn | null {
  const error = oauthError(nextUrl.searchParams.get('error'))
  if (error === undefined) return null
  const description = nextUrl.searchParams.get('error_description')
  return failSignIn('sso', causeOfOAuthError(error, description) ?? 'provider-refused', { oauthError: error })
}

function unexplained(step: string, { redeemed }: Attempt, location: URL): FailedSignIn {
  if (location.search === '?csrf=true') return { ok: false, why: 'stale' }
  if (step === 'callback/password') return failSignIn('password', 'fault')
  return failSignIn('sso', step === 'callback/sso' && redeemed === null ? 'cookies' : 'fault')
}

function leadToSignIn(response: Response, { why, cause, seconds }: FailedSignIn, to: string): Response {
  const requestId = cause === undefined ? undefined : currentWork().request?.id
  response.headers.set('location', config().baseUrl + signInPath(why, to, { seconds, requestId }))
  return response
}

const setsHandle = ({ headers }: Response): boolean =>
  headers.getSetCookie().some((cookie) => new RegExp(`^${HANDLE_COOKIE}=[^;]`).test(cookie))

/** next-auth accepts a form only with a token that matches a cookie. */
export async function csrfPair(): Promise<{ readonly csrfToken: string; readonly cookies: readonly string[] }> {
  const request = new NextRequest(`${config().baseUrl}/api/auth/csrf`)
  const response = await handshake(request, { params: Promise.resolve({ nextauth: ['csrf'] }) })
  const { csrfToken } = (await response.json()) as { readonly csrfToken: string }
  return { csrfToken, cookies: response.headers.getSetCookie() }
}

/** next-auth only handles the handshake cookies; the vault has the sessions. */
const options = (attempt: Attempt): AuthOptions => ({
  secret: config().handshakeSecret,
  providers: config().passwordSignIn ? [ssoProvider(attempt), passwordProvider()] : [ssoProvider(attempt)],
  session: { strategy: 'jwt', maxAge: config().sessionMaxHours * 3600 },
  pages: { signIn: '/sign-in', error: '/sign-in' },
  cookies: cookieNames,
  callbacks: {
    async signIn({ user, account, credentials: typed }) {
      const method = account?.provider === 'sso' ? 'sso' : 'password'
      try {
        const result = await (method === 'sso' ? openWithSso(attempt) : openWithPassword(typed))
        if (result.ok) Object.assign(user, { handle: result.handle } satisfies Signing)
        else attempt.failed = result
      } catch (error) {
        attempt.failed = failSignIn(method, 'fault', { error: errorName(error) })
      }
      return attempt.failed === null
    },
    jwt: ({ user, token }) => ({ handle: (user as Signing | undefined)?.handle ?? token.handle }),
    session: ({ session }) => ({ expires: session.expires }),
  },
  // The cookie is the handle itself, not a JWT.
  jwt: {
    encode: async ({ token }) => String(token?.handle ?? ''),
    decode: async ({ token }) => (token === undefined ? null : { handle: token }),
  },
  // The errors may contain the provider's data. `failSignIn` logs the cause instead.
  logger: { error: () => {}, warn: () => {}, debug: () => {} },
})

const openWithSso = async ({ redeemed }: Attempt): Promise<SignIn> =>
  redeemed === null ? failSignIn('sso', 'fault') : await signInWithSso(redeemed)

const openWithPassword = (typed: Readonly<Record<string, unknown>> | undefined): Promise<SignIn> =>
  signInWithPassword(String(typed?.email ?? ''), String(typed?.password ?? ''))

function ssoProvider(attempt: Attempt): OAuthConfig<{ readonly sub: string }> {
  const { sso } = config()
  return {
    id: 'sso',
    name: sso.name,
    type: 'oauth',
    issuer: sso.issuer,
    clientId: sso.clientId,
    authorization: {
      url: attempt.provider?.authorization_endpoint,
      params: {
        scope: sso.scope,
        ...(sso.resource === null ? {} : { resource: sso.resource }),
        ...(sso.audience === null ? {} : { audience: sso.audience }),
        ...(sso.acrValues.length === 0 ? {} : { acr_values: sso.acrValues.join(' ') }),
      },
    },
    token: {
      async request({ params, checks, provider }) {
        // next-auth also checks a nonce, which its type omits.
        const cookies: typeof checks & { nonce?: string } = checks
        const { state = '', nonce = '', code_verifier: verifier = '' } = cookies
        const answer = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
        const redeemed = await redeemCode(answer, { state, nonce, verifier }, provider.callbackUrl)
        if (!redeemed.ok) {
          attempt.failed = redeemed
          throw new Error('the code was not redeemed')
        }
        attempt.redeemed = redeemed
        return { tokens: { id_token: redeemed.idToken } }
      },
    },
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    profile: ({ sub }) => ({ id: sub }),
  }
}

const passwordProvider = () =>
  credentials({
    id: 'password',
    credentials: { email: {}, password: {} },
    // `signIn` asks the service, where the kinds of refusal can be distinguished.
    authorize: () => ({ id: 'pending' }),
  })

const hostCookie = (name: string, options: Partial<CookieOption['options']> = {}): CookieOption => ({
  name: `__Host-console.${name}`,
  options: { path: '/', secure: true, httpOnly: true, sameSite: 'lax', maxAge: TEN_MINUTES_SECONDS, ...options },
})

/** The browser returns from the provider's site, so these cookies cannot be Strict. */
const cookieNames = {
  sessionToken: { name: HANDLE_COOKIE, options: handleCookieOptions },
  // A session cookie: a sign-in page may be open all night.
  csrfToken: hostCookie('csrf', { sameSite: 'strict', maxAge: undefined }),
  callbackUrl: hostCookie('callback'),
  state: hostCookie('state'),
  nonce: hostCookie('nonce'),
  pkceCodeVerifier: hostCookie('pkce'),
} satisfies AuthOptions['cookies']
