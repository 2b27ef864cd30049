import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What to answer a refresh with, in place of new tokens. */
export interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An identity provider and a service, as far as refreshing goes: tokens rotate, and one that comes twice is noticed. */
export class TokenEndpoint {
  readonly #server: Server
  readonly #spent = new Set<string>()
  /** Takes the place of new tokens while it is set; `hang` answers nothing at all. */
  answer: Answer | 'hang' | null = null
  /** Added to the token endpoint's next successes. */
  more: Readonly<Record<string, unknown>> = {}
  /** Changed fields of the discovery document. */
  discovery: Readonly<Record<string, unknown>> = {}
  expiresInSeconds = 600
  /** Waits for this before a refresh is answered. */
  gate: Promise<void> = Promise.resolve()
  /** The provider's public keys; null is an outage. */
  jwks: { readonly keys: readonly object[] } | null = { keys: [] }
  refreshes = 0
  reused = 0
  readonly revoked: string[] = []
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
    })
    this.#spent.clear()
    this.revoked.length = 0
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
    if (request.url === '/idp/.well-known/openid-configuration') return send(response, this.#discovery())
    if (request.url === '/idp/jwks') {
      if (this.jwks === null) return void response.writeHead(503).end()
      return send(response, this.jwks)
    }
    if (request.url === '/idp/revoke') {
      this.revoked.push(new URLSearchParams(body).get('token') ?? '')
      if (this.revocationStatus !== 200) return void response.writeHead(this.revocationStatus).end()
      return send(response, {})
    }
    const sso = request.url === '/idp/token'
    // What earlier tests of this process left under way may ask for anything.
    if (request.method !== 'POST') return void response.writeHead(404).end()
    await this.#refresh(
      response,
      sso ? new URLSearchParams(body).get('refresh_token') : readJson(body).refreshToken,
      sso,
    )
  }

  #discovery(): unknown {
    const { issuer } = this
    return {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      // A provider may offer what a console must never take.
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
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
    if (this.#spent.has(String(refreshToken))) this.reused += 1
    this.#spent.add(String(refreshToken))
    const [access, refresh] = [`access-${number}`, `refresh-${number}`]
    const fields = sso
      ? { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: this.expiresInSeconds }
      : { data: { accessToken: access, refreshToken: refresh, expiresIn: this.expiresInSeconds } }
    send(response, { ...fields, ...this.more })
  }
}

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const readJson = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>
