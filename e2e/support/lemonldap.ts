import { execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { missingPackages } from '../../scripts/debian-packages.ts'
import { freePort } from './ports.ts'

/** The portal's package only recommends what its OpenID Connect issuer loads. */
const NEEDED = {
  'liblemonldap-ng-portal-perl': '/usr/share/perl5/Lemonldap/NG/Portal/Issuer/OpenIDConnect.pm',
  'libgd-securityimage-perl': '/usr/share/perl5/GD/SecurityImage.pm',
  'libimage-magick-perl': '/usr/lib/*/perl5/*/auto/Image/Magick/*/*.so',
  'libio-string-perl': '/usr/share/perl5/IO/String.pm',
  'libstring-random-perl': '/usr/share/perl5/String/Random.pm',
  'libconvert-pem-perl': '/usr/share/perl5/Convert/PEM.pm',
}
const SHARE = '/usr/share/lemonldap-ng'
const READY_WITHIN_MS = 60_000

export interface Person {
  /** In the service. */
  readonly id: string
  readonly name: string
  readonly email: string
  readonly groups: readonly string[]
}

interface Client {
  readonly id: string
  readonly consoleUrl: string
  /** `offline`: refresh tokens outlive the person's session at the provider. `online`: they end with it. */
  readonly refresh: 'offline' | 'online'
  readonly accessTokenSeconds: number
}

export interface Service {
  readonly url: string
  /** Access tokens of the provider. */
  readonly tokens: ReadonlySet<string>
}

type Configuration = Record<string, unknown> & { readonly cfgNum: number }

/** Debian's LemonLDAP::NG, as an OpenID Connect provider. */
export class Lemonldap {
  readonly #folder = mkdtempSync(join(tmpdir(), 'console-lemonldap-'))
  readonly #stops: (() => Promise<unknown>)[] = []
  /** By login. */
  readonly people = new Map<string, Person>()
  readonly password = randomBytes(16).toString('hex')
  readonly clientSecret = randomBytes(16).toString('hex')
  /** Also ids of sessions and codes, and tokens, which are such ids. */
  readonly secrets = new Set([this.password, this.clientSecret])
  readonly #services = new Map<string, Service>()
  /** Without its final slash. */
  issuer = ''

  static async start(): Promise<Lemonldap> {
    const missing = missingPackages(NEEDED).join(' ')
    if (missing !== '')
      throw new Error(`This test needs LemonLDAP::NG: apt-get install --no-install-recommends ${missing}`)
    const provider = new Lemonldap()
    await provider.#start().catch(async (cause: unknown) => {
      await provider.stop()
      throw cause
    })
    return provider
  }

  /** The portal reads its configuration again after a second: await {@link waitForClient}. */
  register({ id, consoleUrl, refresh, accessTokenSeconds }: Client): void {
    const latest = this.#latest()
    const options = {
      ...(latest.oidcRPMetaDataOptions as object | undefined),
      [id]: {
        oidcRPMetaDataOptionsClientID: id,
        oidcRPMetaDataOptionsClientSecret: this.clientSecret,
        oidcRPMetaDataOptionsRedirectUris: `${consoleUrl}/api/auth/callback/sso`,
        oidcRPMetaDataOptionsPostLogoutRedirectUris: `${consoleUrl}/signed-out`,
        oidcRPMetaDataOptionsUserIDAttr: 'serviceId',
        oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
        oidcRPMetaDataOptionsIDTokenForceClaims: 1,
        oidcRPMetaDataOptionsRequirePKCE: 1,
        oidcRPMetaDataOptionsBypassConsent: 1,
        oidcRPMetaDataOptionsRefreshToken: refresh === 'online' ? 1 : 0,
        oidcRPMetaDataOptionsAllowOffline: refresh === 'offline' ? 1 : 0,
        oidcRPMetaDataOptionsLogoutBypassConfirm: 1,
        oidcRPMetaDataOptionsAccessTokenExpiration: accessTokenSeconds,
      },
    }
    const all = (value: unknown) => Object.fromEntries(Object.keys(options).map((client) => [client, value]))
    this.#save({
      ...latest,
      cfgNum: latest.cfgNum + 1,
      oidcRPMetaDataOptions: options,
      oidcRPMetaDataExportedVars: all({ name: 'cn', email: 'mail', groups: 'groups;string;always' }),
    })
  }

  async waitForClient(client: string): Promise<void> {
    while ((await this.#introspect('none', client)).status !== 200) await wait(200)
  }

  async rotateKeys(): Promise<void> {
    const before = await this.#keys()
    this.#run('rotateOidcKeys')
    while ((await this.#keys()) === before) await wait(200)
  }

  /** As an administrator does. */
  deleteSessions(login: string): void {
    this.#collectSecrets()
    // Run by root, it becomes the user www-data unless another is named.
    this.#run('lemonldap-ng-sessions', 'delete', '--where', `uid=${login}`, '--user', 'root', '--group', 'root')
  }

  /** The sandbox, behind a gateway that exchanges the tokens of this client for its own. */
  async serve(client: string, sandboxPort: number, tokenOf: (email: string) => Promise<string>): Promise<Service> {
    const known = this.#services.get(client)
    if (known !== undefined) return known
    const tokens = new Set<string>()
    const port = await this.#listen(async (request, response) => {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
      if (token !== undefined) {
        tokens.add(token)
        const subject = await this.#subjectOf(token, client)
        const person = [...this.people.values()].find(({ id }) => id === subject)
        request.headers.authorization = `Bearer ${person === undefined ? 'none' : await tokenOf(person.email)}`
      }
      await relay(request, response, sandboxPort)
    })
    const service = { url: `http://localhost:${port}`, tokens }
    this.#services.set(client, service)
    return service
  }

  async stop(): Promise<void> {
    await Promise.all(this.#stops.map((stop) => stop()))
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #start(): Promise<void> {
    const port = await freePort()
    // The portal's own server answers one connection at a time, and browsers hold some open.
    const front = await this.#listen((request, response) => {
      this.#collectSecrets()
      return relay(request, response, port)
    })
    this.issuer = `http://localhost:${front}`
    this.#configure(await this.#listen((request, response) => this.#answerPerson(request, response)))
    const child = spawn('plackup', [...OPTIONS, '--port', String(port), '-e', PORTAL], {
      env: this.#environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let printed = ''
    child.stderr.on('data', (data: Buffer) => (printed += data))
    const ended = new Promise((done) => child.once('exit', done).once('error', done))
    this.#stops.push(() => {
      child.kill()
      return ended
    })
    const deadline = Date.now() + READY_WITHIN_MS
    const isReady = async (): Promise<boolean> =>
      (await fetch(`${this.issuer}/oauth2/jwks`).catch(() => null))?.status === 200
    while (!(await isReady())) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`LemonLDAP::NG did not start:\n${printed}`)
      await wait(100)
    }
  }

  async #listen(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<number> {
    const server = http.createServer((request, response) => void handle(request, response))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    this.#stops.push(() => {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    })
    return (server.address() as AddressInfo).port
  }

  /** The portal's REST backend of people. */
  async #answerPerson(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { user, password } = JSON.parse(String(await bodyOf(request))) as Record<string, string | undefined>
    const person = this.people.get(user ?? '')
    const isRight = person !== undefined && (request.url === '/people' || password === this.password)
    const { id, name, email, groups } = person ?? { groups: [] }
    const info = { uid: user, cn: name, mail: email, serviceId: id, groups: groups.join('; ') }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isRight ? { result: true, info } : { result: false }))
  }

  #collectSecrets(): void {
    for (const id of readdirSync(join(this.#folder, 'sessions'))) if (/^\w{32,}$/.test(id)) this.secrets.add(id)
  }

  #configure(peoplePort: number): void {
    const folder = (name: string): string => {
      mkdirSync(join(this.#folder, name), { recursive: true })
      return join(this.#folder, name)
    }
    const sessions = (name: string) => ({
      Directory: folder(name),
      LockDirectory: folder(`${name}/lock`),
      generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256',
    })
    folder('configuration')
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    this.#save({
      cfgNum: 1,
      portal: `${this.issuer}/`,
      domain: 'localhost',
      key: randomBytes(16).toString('hex'),
      authentication: 'REST',
      userDB: 'Same',
      restAuthUrl: `http://127.0.0.1:${peoplePort}/password`,
      restUserDBUrl: `http://127.0.0.1:${peoplePort}/people`,
      locationRules: {},
      whatToTrace: 'uid',
      globalStorage: 'Apache::Session::File',
      globalStorageOptions: sessions('sessions'),
      persistentStorage: 'Apache::Session::File',
      persistentStorageOptions: sessions('persistent'),
      localSessionStorage: '',
      issuerDBOpenIDConnectActivation: 1,
      oidcServiceIgnoreScopeForClaims: 1,
      oidcServicePrivateKeySig: privateKey,
      oidcServicePublicKeySig: publicKey,
      oidcServiceKeyIdSig: 'first',
    })
    writeFileSync(
      this.#settings,
      `[all]
logLevel = error
checkTime = 1
[configuration]
type = File
dirName = ${folder('configuration')}
[portal]
templateDir = ${SHARE}/portal/templates
staticPrefix = /static
languages = en
`,
    )
  }

  get #settings(): string {
    return join(this.#folder, 'lemonldap-ng.ini')
  }

  #latest(): Configuration {
    const folder = join(this.#folder, 'configuration')
    const numbers = readdirSync(folder).map((name) => Number(/\d+/.exec(name)?.[0]))
    return JSON.parse(readFileSync(join(folder, `lmConf-${Math.max(...numbers)}.json`), 'utf8')) as Configuration
  }

  #save(configuration: Configuration): void {
    const file = join(this.#folder, 'configuration', `lmConf-${configuration.cfgNum}.json`)
    writeFileSync(file, JSON.stringify({ ...configuration, cfgDate: Math.floor(Date.now() / 1000) }), { mode: 0o600 })
  }

  get #environment(): NodeJS.ProcessEnv {
    return { ...process.env, LLNG_DEFAULTCONFFILE: this.#settings }
  }

  #run(program: string, ...args: readonly string[]): void {
    execFileSync('perl', [`${SHARE}/bin/${program}`, ...args], { env: this.#environment, stdio: 'ignore' })
  }

  async #subjectOf(token: string, client: string): Promise<string | null> {
    const answer = (await (await this.#introspect(token, client)).json()) as { readonly sub?: string }
    return answer.sub ?? null
  }

  /** RFC 7662. */
  #introspect(token: string, client: string): Promise<Response> {
    const body = new URLSearchParams({ token, client_id: client, client_secret: this.clientSecret })
    return fetch(`${this.issuer}/oauth2/introspect`, { method: 'POST', body })
  }

  async #keys(): Promise<string> {
    return (await fetch(`${this.issuer}/oauth2/jwks`)).text()
  }
}

const OPTIONS = ['--env', 'deployment', '--host', '127.0.0.1']
const PORTAL = `use Plack::Builder;
my $portal = do '${SHARE}/portal/htdocs/index.psgi' or die $@;
builder {
  enable 'Static', path => qr{^/static/}, root => '${SHARE}/portal/htdocs/';
  enable 'Static', path => qr{^/javascript/}, root => '/usr/share/';
  $portal
}`

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

async function relay(request: IncomingMessage, response: ServerResponse, port: number): Promise<void> {
  const body = await bodyOf(request)
  const { method, url: path, headers } = request
  const target = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  target.on('error', () => response.destroy())
  target.end(body)
}
