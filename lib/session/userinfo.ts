import 'server-only'
import * as oauth from 'oauth4webapi'
import { log } from '#lib/config/log.ts'
import type { Claims } from './admission.ts'
import { asClient, identityProvider, overExchange } from './identity-provider.ts'

/** Whose access token this is, by the identity provider's userinfo endpoint; null when it does not say. */
export async function userinfo(accessToken: string): Promise<Claims | null> {
  try {
    const provider = await identityProvider()
    const { client } = asClient()
    const response = await oauth.userInfoRequest(provider, client, accessToken, overExchange())
    return await oauth.processUserInfoResponse(provider, client, oauth.skipSubjectCheck, response)
  } catch (error) {
    log().warn(
      { event: 'userinfo', error: error instanceof Error ? error.name : 'unknown' },
      'no answer that can be used',
    )
    return null
  }
}
