import 'server-only'
import { NextRequest } from 'next/server'
import NextAuth, { type AuthOptions, type CookieOption } from 'next-auth'
import credentials from 'next-auth/providers/credentials'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { HANDLE_COOKIE, handleCookieOptions, routeCookie } from '#lib/session/cookie.ts'
import { signInPath } from './paths.ts'
import { type SsoClaims, signInWithPassword, signInWithSso } from './sign-in.ts'

/** The handle travels from `signIn` to the cookie on the user object, within one request. */
interface Signing {
  handle?: string
}

const TEN_MINUTES_SECONDS = 600

interface Context {
  readonly params: Promise<{ nextauth: string[] }>
}

/** Answers one step of the handshake. */
export async function handshake(request: NextRequest, context: Context): Promise<Response> {
  const response = (await NextAuth(request, context, options())) as Response
  if (setsHandle(response)) response.headers.append('set-cookie', routeCookie(config().sessionMaxHours * 3600))
  const to = response.headers.get('location') ?? ''
  // A form whose token does not agree with the cookie: the sign-in page is told of it like of any other error.
  if (to.endsWith('/signin?csrf=true')) response.headers.set('location', to.replace('csrf=true', 'error=Stale'))
  return response
}

const setsHandle = ({ headers }: Response): boolean =>
  headers.getSetCookie().some((cookie) => new RegExp(`^${HANDLE_COOKIE}=[^;]`).test(cookie))

/** next-auth takes a form only with a token, which has to agree with a cookie. */
export async function csrfPair(): Promise<{ readonly csrfToken: string; readonly cookies: readonly string[] }> {
  const request = new NextRequest(`${config().baseUrl}/api/auth/csrf`)
  const response = await handshake(request, { params: Promise.resolve({ nextauth: ['csrf'] }) })
  const { csrfToken } = (await response.json()) as { readonly csrfToken: string }
  return { csrfToken, cookies: response.headers.getSetCookie() }
}

/** next-auth does the handshake and nothing else: no session, no token and no name of its own. */
function options(): AuthOptions {
  return {
    secret: config().handshakeSecret,
    providers: config().passwordSignIn ? [ssoProvider(), passwordProvider()] : [ssoProvider()],
    session: { strategy: 'jwt', maxAge: config().sessionMaxHours * 3600 },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    cookies: cookieNames,
    callbacks: {
      // The one callback that does anything: it opens the vault. A text is an address to go to instead.
      async signIn({ user, account, profile, credentials: typed }) {
        const result =
          account?.provider === 'sso'
            ? await signInWithSso(account, (profile ?? {}) as SsoClaims)
            : await signInWithPassword(String(typed?.email ?? ''), String(typed?.password ?? ''))
        if (!result.ok) return signInPath(result.why, '/', result.seconds)
        Object.assign(user, { handle: result.handle } satisfies Signing)
        return true
      },
      jwt: ({ user, token }) => ({ handle: (user as Signing | undefined)?.handle ?? token.handle }),
      session: ({ session }) => ({ expires: session.expires }),
    },
    // The cookie is the handle itself, not a token made of it.
    jwt: {
      encode: async ({ token }) => String(token?.handle ?? ''),
      decode: async ({ token }) => (token === undefined ? null : { handle: token }),
    },
    // Errors of the handshake may carry what the provider sent, so their code alone is written down.
    logger: {
      error: (code) => log().error({ event: 'sign-in', code }, 'the handshake failed'),
      warn: () => {},
      debug: () => {},
    },
  }
}

function ssoProvider(): OAuthConfig<SsoClaims> {
  const { sso } = config()
  return {
    id: 'sso',
    name: sso.name,
    type: 'oauth',
    wellKnown: `${sso.issuer}/.well-known/openid-configuration`,
    clientId: sso.clientId,
    clientSecret: sso.clientSecret,
    client: { token_endpoint_auth_method: sso.clientAuth === 'basic' ? 'client_secret_basic' : 'client_secret_post' },
    authorization: {
      params: {
        scope: sso.scope,
        ...(sso.resource === null ? {} : { resource: sso.resource }),
        ...(sso.acrValues.length === 0 ? {} : { acr_values: sso.acrValues.join(' ') }),
      },
    },
    // The claims of the ID token are enough: no userinfo call.
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    profile: (claims) => ({ id: claims.sub }),
  }
}

const passwordProvider = () =>
  credentials({
    id: 'password',
    credentials: { email: {}, password: {} },
    // The service decides, in `signIn`, where the answer can be told apart.
    authorize: () => ({ id: 'pending' }),
  })

const hostCookie = (name: string, options: Partial<CookieOption['options']> = {}): CookieOption => ({
  name: `__Host-console.${name}`,
  options: { path: '/', secure: true, httpOnly: true, sameSite: 'lax', maxAge: TEN_MINUTES_SECONDS, ...options },
})

/** The cookies of the handshake come back on a navigation from the provider's site, so they cannot be Strict. */
const cookieNames: AuthOptions['cookies'] = {
  sessionToken: { name: HANDLE_COOKIE, options: handleCookieOptions },
  // As long as the browser is open: a sign-in page may stand there all night before its form is sent.
  csrfToken: hostCookie('csrf', { sameSite: 'strict', maxAge: undefined }),
  callbackUrl: hostCookie('callback'),
  state: hostCookie('state'),
  nonce: hostCookie('nonce'),
  pkceCodeVerifier: hostCookie('pkce'),
}
