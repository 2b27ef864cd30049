import { constants, createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Fields = Readonly<Record<string, unknown>>

/** What a provider that errs, or somebody in its place, does otherwise; `undefined` leaves a claim out. */
export interface Mutation {
  readonly claims?: Fields
  readonly header?: Fields
  readonly key?: KeyObject
  /** Made into the token that is sent, after it was signed. */
  readonly spoil?: (idToken: string) => string
  /** Fields of the token endpoint's answer. */
  readonly answer?: Fields
  /** In place of the token endpoint's whole answer. */
  readonly raw?: (response: ServerResponse) => void
  readonly discovery?: Fields
}

interface CodeGrant {
  readonly nonce: string | null
  readonly challenge: string | null
}

/** A key pair of a provider, and another that signs as well and is nobody's. */
const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
type KeyPair = ReturnType<typeof keyPair>

const encoded = (fields: Fields): string => Buffer.from(JSON.stringify(fields)).toString('base64url')

/** The asymmetric algorithms of JSON Web Tokens; `EdDSA` is the older name of `Ed25519`. */
export const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const

/** A JSON Web Token; with `HS256` under the client's secret, and with `none` unsigned. */
function token(header: Fields, claims: Fields, key: KeyObject): string {
  const text = `${encoded(header)}.${encoded(claims)}`
  if (header.alg === 'none') return `${text}.`
  if (header.alg === 'HS256') return `${text}.${createHmac('sha256', CLIENT_SECRET).update(text).digest('base64url')}`
  return `${text}.${signature(String(header.alg), Buffer.from(text), key).toString('base64url')}`
}

/** RFC 7518, section 3, and RFC 8037. */
function signature(alg: string, data: Buffer, key: KeyObject): Buffer {
  if (alg.startsWith('Ed')) return sign(null, data, key)
  const hash = `sha${alg.slice(2)}`
  if (alg.startsWith('ES')) return sign(hash, data, { key, dsaEncoding: 'ieee-p1363' })
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  return sign(hash, data, { key, ...(alg.startsWith('PS') ? pss : {}) })
}

/** Key pairs beside the RSA one, by the key id that the provider publishes. */
const otherKeyPairs = (): ReadonlyMap<string, { publicKey: KeyObject; privateKey: KeyObject }> =>
  new Map([
    ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['ES384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['ES512', generateKeyPairSync('ec', { namedCurve: 'P-521' })],
    ['Ed', generateKeyPairSync('ed25519')],
  ])

const CLIENT_SECRET = 'sandbox-console-secret'
const STAFF = '00000000-0000-4000-8000-0000000000f1'

/** An identity provider that keeps the rules, but for the {@link Mutation} that it is told. */
export class MutableProvider {
  readonly #server: Server
  readonly #codes = new Map<string, CodeGrant>()
  /** Fields of pushed requests, by their name. */
  readonly #pushed = new Map<string, URLSearchParams>()
  readonly keys: Readonly<Record<'own' | 'strangers', KeyPair>> = { own: keyPair(), strangers: keyPair() }
  readonly #otherKeys = otherKeyPairs()
  mutation: Mutation = {}
  /** Of every request to the token endpoint: whether the code came with the verifier of its own browser. */
  readonly exchanges: { readonly pkce: boolean }[] = []

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<MutableProvider> {
    const server = createServer()
    const provider = new MutableProvider(server)
    server.on('request', (request, response) => void provider.#serve(request, response))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return provider
  }

  get issuer(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  /** What a browser brings back from here: the person agreed at once. */
  authorize(address: string): URLSearchParams {
    const sent = new URL(address).searchParams
    const query = this.#pushed.get(sent.get('request_uri') ?? '') ?? sent
    const code = randomUUID()
    this.#codes.set(code, { nonce: query.get('nonce'), challenge: query.get('code_challenge') })
    return new URLSearchParams({ code, state: query.get('state') ?? '' })
  }

  sign(claims: Fields, { header = {}, key }: Mutation = {}): string {
    const alg = String(header.alg ?? 'RS256')
    const kid = alg.startsWith('Ed') ? 'Ed' : alg
    const other = this.#otherKeys.get(kid)
    const own = other?.privateKey ?? this.keys.own.privateKey
    return token({ alg, kid: other === undefined ? 'one' : kid, ...header }, claims, key ?? own)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const path = request.url ?? ''
    if (path.endsWith('/openid-configuration')) return send(response, this.#discovery())
    if (path === '/jwks') return send(response, { keys: this.#jwks() })
    if (path === '/par') return this.#push(new URLSearchParams(Buffer.concat(parts).toString()), response)
    if (path === '/token') this.#exchange(new URLSearchParams(Buffer.concat(parts).toString()), response)
    else send(response, {})
  }

  /** All keys from the start: a client fetches them again only half a minute later. */
  #jwks(): readonly object[] {
    return [['one', this.keys.own] as const, ...this.#otherKeys].map(([kid, { publicKey }]) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid,
      use: 'sig',
    }))
  }

  #discovery(): object {
    const { issuer } = this
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      revocation_endpoint: `${issuer}/revoke`,
      userinfo_endpoint: `${issuer}/me`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      // It offers what a console must never take.
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      ...this.mutation.discovery,
    }
  }

  #push(form: URLSearchParams, response: ServerResponse): void {
    const name = `urn:request:${randomUUID()}`
    this.#pushed.set(name, form)
    send(response, { request_uri: name, expires_in: 60 }, 201)
  }

  #exchange(form: URLSearchParams, response: ServerResponse): void {
    const { raw } = this.mutation
    const grant = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const pkce = grant !== undefined && grant.challenge === verifier
    this.exchanges.push({ pkce })
    if (!pkce) send(response, { error: 'invalid_grant' }, 400)
    else if (raw !== undefined) raw(response)
    else this.#grant(grant, response)
  }

  #grant(grant: CodeGrant, response: ServerResponse): void {
    const { claims = {}, spoil = (idToken) => idToken, answer = {} } = this.mutation
    const now = Math.floor(Date.now() / 1000)
    const usual = {
      iss: this.issuer,
      aud: 'operator-console',
      sub: STAFF,
      iat: now,
      exp: now + 300,
      nonce: grant.nonce ?? undefined,
      groups: ['console-operators'],
      name: 'Somebody of a test',
    }
    send(response, {
      access_token: `access-${randomUUID()}`,
      refresh_token: `refresh-${randomUUID()}`,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: spoil(this.sign({ ...usual, ...claims }, this.mutation)),
      ...answer,
    })
  }
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
