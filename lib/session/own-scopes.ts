import 'server-only'
import { config } from '#lib/config/config.ts'
import { fillPath } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { envelope } from '#lib/contract/envelope.ts'
import { parseJson } from '#lib/contract/json.ts'
import { withPrefix } from '#lib/contract/scopes.ts'
import { scopesResult } from '#lib/contract/users.ts'
import { exchange } from '#lib/http/exchange.ts'

const TIMEOUT_MS = 10_000

/** `GET Users/{id}/scopes` with a token that no session has yet; null when they are not known for certain. */
export async function ownScopes(userId: string, accessToken: string): Promise<ReadonlySet<string> | null> {
  try {
    const answer = await exchange({
      method: 'GET',
      url: new URL(config().coreApiUrl + fillPath(endpoints.users.scopes.path, { id: userId })),
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      reuseConnection: false,
    })
    if (answer.kind !== 'answer' || answer.status !== 200) return null
    return new Set(envelope(scopesResult).parse(parseJson(answer.body)).data.scopes.map(withPrefix))
  } catch {
    return null
  }
}
