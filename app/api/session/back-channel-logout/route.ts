import { readText } from '#lib/session/request-guards.ts'
import { handleLogoutToken } from '#lib/session/sign-out/back-channel-logout.ts'
import { json } from '../../answer.ts'

const BODY_MAX_BYTES = 16 * 1024

const UNAVAILABLE = {
  unavailable: 'The keys of the identity provider cannot be fetched.',
  failed: 'The console cannot end sessions right now.',
} as const

const refusal = (status: number, error: string, why: string): Response =>
  json({ error, error_description: why }, status)

/** OpenID Connect Back-Channel Logout 1.0: no cookie; the identity provider's signature authenticates the request. */
export async function POST(request: Request): Promise<Response> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    return refusal(400, 'invalid_request', 'The body is not a form.')
  }
  const body = await readText(request, BODY_MAX_BYTES)
  if (body === null) return refusal(413, 'invalid_request', 'The body is too large.')
  const tokens = new URLSearchParams(body).getAll('logout_token')
  const result =
    tokens.length === 1 ? await handleLogoutToken(tokens[0] ?? '').catch(() => 'failed' as const) : 'invalid'
  if (result === 'done') return json({ ok: true })
  return result === 'invalid'
    ? refusal(400, 'invalid_request', 'No valid logout token.')
    : refusal(503, 'temporarily_unavailable', UNAVAILABLE[result])
}
