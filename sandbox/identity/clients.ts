import type { ClientMetadata } from 'oidc-provider'

export const CONSOLE_CLIENT_ID = 'operator-console'
export const WALLET_CLIENT_ID = 'wallet-app'

export function clientsFor(consoleUrl: string, consoleSecret: string): ClientMetadata[] {
  return [
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
}
