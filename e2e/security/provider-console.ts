import { test as base, expect } from '../support/fixtures.ts'
import type { AnotherConsole } from '../support/programs.ts'
import { addressIn } from '../support/sign-in.ts'
import { type Answer, ask, CookieJar, FORM_BODY, ownHeaders } from './http.ts'
import { MutableProvider } from './provider.ts'

interface Fixtures {
  /** A console with this identity provider, started once for a spec. */
  readonly providerConsole: AnotherConsole
  readonly consoleUrl: string
  readonly fresh: undefined
}

interface WorkerFixtures {
  readonly provider: MutableProvider
}

/** A test with an identity provider of its own, which keeps the rules until it is told otherwise. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
    async ({}, use) => {
      const provider = await MutableProvider.start()
      await use(provider)
      await provider.stop()
    },
    { scope: 'worker' },
  ],
  providerConsole: async ({ programs, provider }, use) => {
    const started = await programs.anotherConsole('of the provider', (own) => ({
      NEXTAUTH_URL: own,
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: 'https://api.example',
    }))
    await use(started)
  },
  consoleUrl: ({ providerConsole }, use) => use(providerConsole.url),
  fresh: [
    async ({ provider }, use) => {
      provider.mutation = {}
      await use(undefined)
    },
    { auto: true },
  ],
})

const SSO = '/api/auth/callback/sso'

/** What a browser gets that asks for single sign-on. */
export async function askForSignIn(consoleUrl: string, jar: CookieJar, to = '/'): Promise<Answer> {
  const csrf = await ask(consoleUrl, { path: '/api/auth/csrf', headers: jar.headers })
  jar.take(csrf)
  const { csrfToken } = JSON.parse(csrf.text) as { readonly csrfToken: string }
  const begun = await ask(consoleUrl, {
    method: 'POST',
    path: '/api/auth/signin/sso',
    headers: { ...ownHeaders(consoleUrl), ...jar.headers, ...FORM_BODY },
    body: new URLSearchParams({ csrfToken, callbackUrl: `/signed-in?${new URLSearchParams({ to })}` }).toString(),
  })
  jar.take(begun)
  return begun
}

/** A browser that has been sent to the provider, and the address it was sent to. */
export async function begin(
  consoleUrl: string,
  jar = new CookieJar(),
  to = '/',
): Promise<{ readonly jar: CookieJar; readonly address: string }> {
  const begun = await askForSignIn(consoleUrl, jar, to)
  const address = addressIn(begun.text) ?? ''
  expect(address, begun.text).toContain('/authorize?')
  return { jar, address }
}

/** The browser comes back from the provider. */
export const comeBack = (consoleUrl: string, jar: CookieJar, query: URLSearchParams): Promise<Answer> =>
  ask(consoleUrl, { path: `${SSO}?${query}`, headers: jar.headers })
