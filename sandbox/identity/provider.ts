import { createHash } from 'node:crypto'
import Provider, {
  type Adapter,
  type AdapterPayload,
  type ClientMetadata,
  type Configuration,
  type ErrorOut,
  errors,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import { Html, html, page } from '#sandbox/http/html.ts'
import type { World } from '#sandbox/world/world.ts'
import type { Keys } from './keys.ts'
import { claimsOf, findUser } from './users.ts'

export const IDP_PATH = '/idp'
export const USERINFO_PATH = `${IDP_PATH}/me`

export const ACR_WITH_CODE = 'urn:sandbox:acr:two-factor'

export const RESOURCE = 'urn:ocs:core'

const CONSOLE_CLIENT_ID = 'operator-console'
export const WALLET_CLIENT_ID = 'wallet-app'

const DAY_SECONDS = 86_400

export interface ProviderOptions {
  readonly consoleUrl: string
  readonly consoleSecret: string
  readonly keys: Keys
  readonly accessTokenSeconds: number
}

export const resourceServer = (accessTokenSeconds: number) => ({
  scope: 'core',
  audience: RESOURCE,
  accessTokenTTL: accessTokenSeconds,
  accessTokenFormat: 'jwt' as const,
  jwt: { sign: { alg: 'RS256' as const } },
})

export const createProvider = (world: World, options: ProviderOptions): Provider =>
  new Provider(`${world.baseUrl}${IDP_PATH}`, configuration(world, options))

const configuration = (world: World, options: ProviderOptions): Configuration => ({
  adapter: (model) => oidcAdapter(world, model),
  clients: clientsFor(options.consoleUrl, options.consoleSecret),
  jwks: { keys: [options.keys.signing] },
  cookies: {
    keys: [options.keys.cookie],
    names: { session: 'sandbox_idp.session', interaction: 'sandbox_idp.interaction', resume: 'sandbox_idp.resume' },
  },
  acrValues: [ACR_WITH_CODE],
  claims: {
    openid: ['sub', 'amr'],
    profile: ['name', 'preferred_username', 'groups'],
    email: ['email', 'email_verified'],
  },
  scopes: ['openid', 'offline_access', 'profile', 'email', 'core'],
  // Puts the claims into the ID token, because the console does not call userinfo.
  conformIdTokenClaims: false,
  findAccount: async (_ctx, id) => {
    const user = await findUser(world.db, id)
    return user?.may_sign_in
      ? { accountId: id, claims: () => Promise.resolve({ sub: id, ...claimsOf(user) }) }
      : undefined
  },
  discovery: { userinfo_endpoint: world.baseUrl + USERINFO_PATH },
  renderError: showFailure,
  // The library blocks requests to this machine, where the console runs.
  fetch: (url, { dispatcher: _guard, ...request }: RequestInit & { dispatcher?: unknown } = {}) => fetch(url, request),
  interactions: { url: (_ctx, interaction) => `${IDP_PATH}/sign-in/${interaction.uid}` },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: (_ctx, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
  expiresWithSession: () => Promise.resolve(false),
  extraTokenClaims: async (_ctx, token) => {
    const user = 'accountId' in token && token.accountId ? await findUser(world.db, token.accountId) : undefined
    return { generation: user?.token_generation ?? 0 }
  },
  loadExistingGrant: async (ctx) => {
    const { client, session, provider } = ctx.oidc
    if (client?.clientId !== CONSOLE_CLIENT_ID || session?.accountId === undefined) return undefined
    // The company's own console needs no consent, so the grant is created here.
    const known = session.grantIdFor(client.clientId)
    const grant = known === undefined ? undefined : await provider.Grant.find(known)
    if (grant !== undefined) return grant
    const made = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
    made.addOIDCScope('openid offline_access profile email')
    made.addResourceScope(RESOURCE, 'core')
    await made.save()
    return made
  },
  features: {
    devInteractions: { enabled: false },
    // The library's userinfo refuses tokens for the service; `mount.ts` replaces it.
    userinfo: { enabled: false },
    revocation: { enabled: true },
    rpInitiatedLogout: { enabled: true, logoutSource: showSignOut, postLogoutSuccessSource: showSignedOut },
    backchannelLogout: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: () => resourceServer(options.accessTokenSeconds),
    },
  },
  ttl: {
    AccessToken: options.accessTokenSeconds,
    AuthorizationCode: 60,
    Grant: 14 * DAY_SECONDS,
    IdToken: 3600,
    Interaction: 3600,
    RefreshToken: 14 * DAY_SECONDS,
    Session: DAY_SECONDS,
  },
})

const clientsFor = (consoleUrl: string, consoleSecret: string): ClientMetadata[] => [
  {
    client_id: CONSOLE_CLIENT_ID,
    client_secret: consoleSecret,
    client_name: 'Operator Console',
    redirect_uris: [`${consoleUrl}/api/auth/callback/sso`],
    post_logout_redirect_uris: [`${consoleUrl}/signed-out`],
    backchannel_logout_uri: `${consoleUrl}/api/session/back-channel-logout`,
    // Puts `sid` into logout and ID tokens.
    backchannel_logout_session_required: true,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic',
  },
  {
    client_id: WALLET_CLIENT_ID,
    client_name: 'Wallet',
    redirect_uris: [],
    grant_types: ['refresh_token'],
    response_types: [],
    token_endpoint_auth_method: 'none',
  },
]

function oidcAdapter(world: World, model: string): Adapter {
  const { db } = world
  const nowSeconds = () => Math.floor(world.wallMilliseconds() / 1000)

  async function findBy(column: 'id' | 'uid' | 'user_code', value: string): Promise<AdapterPayload | undefined> {
    const row = await db
      .selectFrom('oidc_record')
      .select(['payload', 'consumed_at', 'expires_at'])
      .where('model', '=', model)
      .where(column, '=', value)
      .executeTakeFirst()
    if (row === undefined || (row.expires_at !== null && row.expires_at <= nowSeconds())) return undefined
    const payload = JSON.parse(row.payload) as AdapterPayload
    return row.consumed_at === null ? payload : { ...payload, consumed: row.consumed_at }
  }

  return {
    async upsert(id, payload, expiresInSeconds?: number) {
      const values = {
        payload: JSON.stringify(payload),
        grant_id: payload.grantId ?? null,
        uid: payload.uid ?? null,
        user_code: payload.userCode ?? null,
        expires_at: expiresInSeconds === undefined ? null : nowSeconds() + expiresInSeconds,
      }
      await db.deleteFrom('oidc_record').where('expires_at', '<=', nowSeconds()).execute()
      await db
        .insertInto('oidc_record')
        .values({ model, id, consumed_at: null, ...values })
        .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(values))
        .execute()
    },
    find: (id) => findBy('id', id),
    findByUid: (uid) => findBy('uid', uid),
    findByUserCode: (userCode) => findBy('user_code', userCode),
    /** Of concurrent uses of one token, only the first succeeds. */
    async consume(id) {
      const spent = await db
        .updateTable('oidc_record')
        .set({ consumed_at: nowSeconds() })
        .where(({ and }) => and({ model, id }))
        .where('consumed_at', 'is', null)
        .executeTakeFirst()
      if (spent.numUpdatedRows === 0n) throw new errors.InvalidGrant('already used')
    },
    async destroy(id) {
      await db
        .deleteFrom('oidc_record')
        .where(({ and }) => and({ model, id }))
        .execute()
    },
    async revokeByGrantId(grantId) {
      await db.deleteFrom('oidc_record').where('grant_id', '=', grantId).execute()
    },
  }
}

const SUBMIT = "document.getElementById('op.logoutForm').submit()"

const submitHash = `'sha256-${createHash('sha256').update(SUBMIT).digest('base64')}'`

/** Asks a person for confirmation. A registered client has already asked, so its form submits automatically. */
function showSignOut(context: KoaContextWithOIDC, form: string): void {
  const confirmed = context.oidc.client !== undefined
  show(
    context,
    'Sign out',
    html`
      <h1>Sign out of single sign-on?</h1>
      <p>You are also signed out of every application that uses it.</p>
      ${new Html(form)}
      <button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
      ${confirmed ? leaving : html``}`,
  )
}

/** Replaces the button's value, because the script does not press it. */
const leaving = html`
  <input type="hidden" form="op.logoutForm" name="logout" value="yes">
  <script>${new Html(SUBMIT)}</script>`

function showSignedOut(context: KoaContextWithOIDC): void {
  const words = 'You are signed out of single sign-on and of every application that uses it.'
  show(context, 'Signed out', html`<h1>Signed out</h1><p>${words}</p>`)
}

function showFailure(context: KoaContextWithOIDC, { error, error_description: why }: ErrorOut): void {
  const words = html`<h1>Single sign-on refused this</h1><p><code>${error}</code></p><p>${why ?? ''}</p>`
  show(context, 'Refused', words)
}

function show(context: KoaContextWithOIDC, title: string, body: Html): void {
  context.type = 'html'
  context.set(
    'content-security-policy',
    `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src ${submitHash}; frame-ancestors 'none'`,
  )
  context.body = page(title, body)
}
