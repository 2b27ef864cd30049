import { createHash, randomBytes } from 'node:crypto'

const CONSOLE = 'http://localhost:3000'
const CLIENT = `Basic ${Buffer.from('operator-console:sandbox-console-secret').toString('base64')}`
const SCOPE = 'openid profile email offline_access'

/** What a token endpoint answers, and the claims of its ID token, unverified. */
export interface Granted {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
  readonly expires_in: number
  readonly token_type: string
}

export const claimsIn = (idToken: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>

interface WithCode {
  readonly acrValues: string
  /** Of the authenticator; empty for none. */
  readonly code: string
}

/** Signs somebody in at the sandbox's identity provider as a browser and the console do, over HTTP. */
export async function codeFlow(sandboxUrl: string, email: string, options?: WithCode): Promise<Granted> {
  const verifier = randomBytes(32).toString('base64url')
  const cookies = new Map<string, string>()
  // The sandbox may name an address other than the one that it listens on.
  const here = (address: string) =>
    sandboxUrl + new URL(address, sandboxUrl).pathname + new URL(address, sandboxUrl).search
  const step = async (address: string, form?: Record<string, string>): Promise<string> => {
    const response = await fetch(here(address), {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const to = response.headers.get('location')
    if (to === null) throw new Error(`${address} answered ${response.status}: ${await response.text()}`)
    return to
  }
  const query = new URLSearchParams({
    client_id: 'operator-console',
    response_type: 'code',
    scope: SCOPE,
    redirect_uri: `${CONSOLE}/api/auth/callback/sso`,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'state',
    nonce: 'nonce',
    ...(options === undefined ? {} : { acr_values: options.acrValues }),
  })
  const form = await step(`/idp/auth?${query}`)
  const back = await step(await step(form, { email, password: 'Sandbox-Pass-1', code: options?.code ?? '' }))
  const response = await fetch(`${sandboxUrl}/idp/token`, {
    method: 'POST',
    headers: { authorization: CLIENT },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(back).searchParams.get('code') ?? '',
      redirect_uri: `${CONSOLE}/api/auth/callback/sso`,
      code_verifier: verifier,
    }),
  })
  return (await response.json()) as Granted
}
