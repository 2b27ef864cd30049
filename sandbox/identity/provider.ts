import Provider, { type Configuration } from 'oidc-provider'
import type { World } from '#sandbox/world/world.ts'
import { adapterFor } from './adapter.ts'
import { CONSOLE_CLIENT_ID, clientsFor } from './clients.ts'
import type { Keys } from './keys.ts'
import { showFailure, showSignedOut, showSignOut } from './sign-out-page.ts'
import { claimsOf, findUser } from './users.ts'

export const IDP_PATH = '/idp'
export const USERINFO_PATH = `${IDP_PATH}/me`

/** `acr` of a sign-in with a code. */
export const ACR_WITH_CODE = 'urn:sandbox:acr:two-factor'

export const RESOURCE = 'urn:ocs:core'

const DAY_SECONDS = 86_400

export interface ProviderOptions {
  readonly consoleUrl: string
  readonly consoleSecret: string
  readonly keys: Keys
  readonly accessTokenSeconds: number
}

export function resourceServer(accessTokenSeconds: number) {
  return {
    scope: 'core',
    audience: RESOURCE,
    accessTokenTTL: accessTokenSeconds,
    accessTokenFormat: 'jwt' as const,
    jwt: { sign: { alg: 'RS256' as const } },
  }
}

export function createProvider(world: World, options: ProviderOptions): Provider {
  const provider = new Provider(`${world.baseUrl}${IDP_PATH}`, configuration(world, options))
  // No proxy is in front of the sandbox.
  provider.proxy = false
  return provider
}

function configuration(world: World, options: ProviderOptions): Configuration {
  return {
    adapter: adapterFor(world),
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
    fetch: (url, { dispatcher: _guard, ...request }: RequestInit & { dispatcher?: unknown } = {}) =>
      fetch(url, request),
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
      // The library's userinfo refuses tokens for the service; `userinfo.ts` replaces it.
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
  }
}
