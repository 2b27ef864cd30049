import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type CryptoKey,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  type GenerateKeyPairResult,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'

/** What to answer a refresh with, in place of new tokens. */
export interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A client that the provider knows. `decodes`: it form-decodes Basic credentials, as RFC 6749 says and not every provider does. */
interface KnownClient {
  readonly id: string
  readonly secret: string
  readonly decodes: boolean
}

/** A request to the token or the revocation endpoint. */
interface Received {
  readonly path: string
  /** The header and claims of a client assertion; null where there was none. */
  readonly assertion: Assertion | null
  /** `ID:SECRET` of Basic authentication, as it came; null where there was none. */
  readonly basic: string | null
  readonly form: URLSearchParams
}

interface Assertion {
  readonly header: JWTHeaderParameters
  readonly claims: JWTPayload
}

/** An identity provider and a service, as far as tokens go: they rotate, and one that comes twice is noticed. */
export class TokenEndpoint {
  readonly #server: Server
  readonly #spent = new Set<string>()
  /** Takes the place of new tokens while it is set; `hang` answers nothing at all. */
  answer: Answer | 'hang' | null = null
  /** Added to the token endpoint's next successes. */
  more: Readonly<Record<string, unknown>> = {}
  /** Changed fields of the discovery document. */
  discovery: Readonly<Record<string, unknown>> = {}
  /** How the discovery document is answered. */
  discoveryStatus = 200
  discoveryType = 'application/json'
  expiresInSeconds = 600
  /** Waits for this before a refresh is answered. */
  gate: Promise<void> = Promise.resolve()
  /** The provider's public keys; null is an outage. */
  jwks: { readonly keys: readonly object[] } | null = { keys: [] }
  refreshes = 0
  reused = 0
  readonly revoked: string[] = []
  readonly received: Received[] = []
  /** Everybody else is refused as `invalid_client`; null accepts anybody. */
  client: KnownClient | null = null
  /** Checks client assertions, in place of `client`. */
  clientKey: CryptoKey | null = null
  /** What requests are pushed with in return. */
  pushed: Answer = { status: 201, body: JSON.stringify({ request_uri: 'urn:request:1', expires_in: 60 }) }
  /** The answer to userinfo with this access token. */
  userinfo: (accessToken: string) => Answer = () => ({ status: 404 })
  readonly #keys = new Map<string, GenerateKeyPairResult>()
  /** What revocations are answered with; they count all the same. */
  revocationStatus = 200

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<TokenEndpoint> {
    const server = createServer()
    const endpoint = new TokenEndpoint(server)
    server.on('request', (request, response) => void endpoint.#serve(request, response))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return endpoint
  }

  /** As if nothing had happened yet. */
  reset(): void {
    Object.assign(this, {
      answer: null,
      more: {},
      gate: Promise.resolve(),
      refreshes: 0,
      reused: 0,
      revocationStatus: 200,
      discoveryStatus: 200,
      discoveryType: 'application/json',
      client: null,
      clientKey: null,
      userinfo: () => ({ status: 404 }),
      pushed: { status: 201, body: JSON.stringify({ request_uri: 'urn:request:1', expires_in: 60 }) },
    })
    this.#spent.clear()
    this.revoked.length = 0
    this.received.length = 0
  }

  /** Makes a key pair for each algorithm, and publishes them by the algorithm's name as their key id. */
  async publishKeys(...algorithms: readonly string[]): Promise<void> {
    const keys = await Promise.all(
      algorithms.map(async (alg) => {
        const pair = await generateKeyPair(alg, { extractable: true })
        this.#keys.set(alg, pair)
        return { ...(await exportJWK(pair.publicKey)), kid: alg, alg, use: 'sig' }
      }),
    )
    this.jwks = { keys: [...(this.jwks?.keys ?? []), ...keys] }
  }

  /** A token that is right for this console, but for the changes; undefined removes a claim. */
  sign(claims: Readonly<Record<string, unknown>> = {}, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    const { alg = 'RS256' } = header
    const now = Math.floor(Date.now() / 1000)
    const usual = { iss: this.issuer, aud: 'operator-console', sub: 'subject-1', iat: now, exp: now + 300 }
    const key = this.#keys.get(header.kid ?? alg)?.privateKey
    if (key === undefined) throw new Error(`there is no key ${header.kid ?? alg}`)
    return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, kid: alg, ...header }).sign(key)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get issuer(): string {
    return `${this.url}/idp`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString('utf8')
    if (request.url === '/idp/.well-known/openid-configuration') {
      response.writeHead(this.discoveryStatus, { 'content-type': this.discoveryType })
      return void response.end(JSON.stringify(this.#discovery()))
    }
    if (request.url === '/idp/jwks') {
      if (this.jwks === null) return void response.writeHead(503).end()
      return send(response, this.jwks)
    }
    if (request.url === '/idp/me') {
      const { status, body: text = '' } = this.userinfo(request.headers.authorization?.slice('Bearer '.length) ?? '')
      response.writeHead(status, { 'content-type': 'application/json' })
      return void response.end(text)
    }
    const received = receivedBy(request, body)
    if (['/idp/revoke', '/idp/token', '/idp/par'].includes(request.url ?? '')) {
      this.received.push(received)
      if (!(await this.#knows(received))) return send(response, { error: 'invalid_client' }, 401)
    }
    if (request.url === '/idp/par') {
      response.writeHead(this.pushed.status, { 'content-type': 'application/json', ...this.pushed.headers })
      return void response.end(this.pushed.body ?? '')
    }
    if (request.url === '/idp/revoke') {
      this.revoked.push(received.form.get('token') ?? '')
      if (this.revocationStatus !== 200) return void response.writeHead(this.revocationStatus).end()
      return send(response, {})
    }
    const sso = request.url === '/idp/token'
    // What earlier tests of this process left under way may ask for anything.
    if (request.method !== 'POST') return void response.writeHead(404).end()
    await this.#refresh(response, sso ? received.form.get('refresh_token') : readJson(body).refreshToken, sso)
  }

  async #knows(received: Received): Promise<boolean> {
    if (this.clientKey === null) return this.client === null || isBy(this.client, received)
    try {
      await jwtVerify(received.form.get('client_assertion') ?? '', this.clientKey)
      return true
    } catch {
      return false
    }
  }

  #discovery(): unknown {
    const { issuer } = this
    return {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      // A provider may offer what a console must never take.
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      authorization_endpoint: `${issuer}/auth`,
      pushed_authorization_request_endpoint: `${issuer}/par`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      userinfo_endpoint: `${issuer}/me`,
      end_session_endpoint: `${issuer}/end`,
      ...this.discovery,
    }
  }

  async #refresh(response: ServerResponse, refreshToken: unknown, sso: boolean): Promise<void> {
    this.refreshes += 1
    const number = this.refreshes
    await this.gate
    if (this.answer === 'hang') return
    if (this.answer !== null) {
      response.writeHead(this.answer.status, { 'content-type': 'application/json', ...this.answer.headers })
      response.end(this.answer.body ?? '')
      return
    }
    // An authorization code comes without one.
    if (refreshToken !== null) {
      if (this.#spent.has(String(refreshToken))) this.reused += 1
      this.#spent.add(String(refreshToken))
    }
    const [access, refresh] = [`access-${number}`, `refresh-${number}`]
    const fields = sso
      ? { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: this.expiresInSeconds }
      : { data: { accessToken: access, refreshToken: refresh, expiresIn: this.expiresInSeconds } }
    send(response, { ...fields, ...this.more })
  }
}

function receivedBy({ url, headers }: IncomingMessage, body: string): Received {
  const [scheme, credentials = ''] = (headers.authorization ?? '').split(' ')
  const basic = scheme === 'Basic' ? Buffer.from(credentials, 'base64').toString('utf8') : null
  const form = new URLSearchParams(body)
  const jwt = form.get('client_assertion')
  const assertion = jwt === null ? null : { header: decodeProtectedHeader(jwt), claims: decodeJwt(jwt) }
  return { path: url ?? '', basic, form, assertion: assertion as Assertion | null }
}

function isBy({ id, secret, decodes }: KnownClient, { basic, form }: Received): boolean {
  if (basic === null) return form.get('client_id') === id && form.get('client_secret') === secret
  const at = basic.indexOf(':')
  const decoded = (part: string) => (decodes ? new URLSearchParams(`part=${part}`).get('part') : part)
  return decoded(basic.slice(0, at)) === id && decoded(basic.slice(at + 1)) === secret
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const readJson = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>
