import 'server-only'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { readAnswer } from '#lib/session/vault/tokens.ts'
import { type FailedSignIn, failSignIn } from './failure.ts'
import { asClient, isTemporary, NoAnswer, overExchange } from './identity-provider.ts'

const accepted = z.object({ request_uri: z.string().min(1).max(2_000) })

/** RFC 9126. */
export async function pushRequest(provider: oauth.AuthorizationServer, address: URL): Promise<URL | FailedSignIn> {
  const { client, proof } = asClient('pushed_authorization_request_endpoint')
  let response: Response
  try {
    response = await oauth.pushedAuthorizationRequest(provider, client, proof, address.searchParams, overExchange())
  } catch (error) {
    return failSignIn('sso', error instanceof NoAnswer ? 'pushed-request-unreachable' : 'discovery-invalid')
  }
  const { status, ok, body, error, cause } = await readAnswer(response)
  if (isTemporary(status)) return failSignIn('sso', 'pushed-request-unreachable', { status, oauthError: error })
  if (!ok) return failSignIn('sso', cause ?? 'pushed-request-refused', { status, oauthError: error })
  const { data } = accepted.safeParse(body)
  if (data === undefined) return failSignIn('sso', 'pushed-request-refused', { status })
  const pushed = new URL(provider.authorization_endpoint ?? '')
  pushed.searchParams.set('client_id', client.client_id)
  pushed.searchParams.set('request_uri', data.request_uri)
  return pushed
}
