import 'server-only'
import type { z } from 'zod'
import { config } from '#lib/config/config.ts'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { parseJson } from '#lib/contract/json.ts'
import { tokenPair } from '#lib/contract/users.ts'
import { envelope } from '#lib/contract/wire.ts'
import { callService } from '#lib/telemetry/call-service.ts'
import type { TokenPair } from './box.ts'
import { type RefreshResult, withoutTokens } from './refresh-result.ts'

const TIMEOUT_MS = 10_000

export type LoginResult =
  | { readonly ok: true; readonly tokens: TokenPair }
  | { readonly ok: false; readonly why: 'wrong' | 'forbidden' | 'locked' | 'unavailable' }

/** interface.md, "Authentication". */
export async function login(email: string, password: string): Promise<LoginResult> {
  const answer = await post(endpoints.users.login, { email, password })
  if (answer.tokens !== null) return { ok: true, tokens: answer.tokens }
  const why = { 400: 'wrong', 401: 'wrong', 403: 'forbidden', 423: 'locked' } as const
  return { ok: false, why: why[answer.status as keyof typeof why] ?? 'unavailable' }
}

/** Only 401 ends the session. */
export async function refreshWithService(refreshToken: string): Promise<RefreshResult> {
  const answer = await post(endpoints.users.refreshToken, { refreshToken })
  if (answer.tokens !== null) return { kind: 'refreshed', tokens: answer.tokens }
  return answer.status === 401 ? { kind: 'over', status: 401 } : withoutTokens(answer.status)
}

interface Posted {
  /** 0 without an answer. */
  readonly status: number
  readonly tokens: TokenPair | null
}

async function post(endpoint: Endpoint, body: Readonly<Record<string, string>>): Promise<Posted> {
  const receivedAt = new Date()
  const answer = await callService(endpoint, {
    url: new URL(config().coreApiUrl + endpoint.path),
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: TIMEOUT_MS,
    reuseConnection: false,
  })
  if (answer.kind !== 'answer') return { status: 0, tokens: null }
  if (answer.status < 200 || answer.status >= 300) return { status: answer.status, tokens: null }
  return { status: answer.status, tokens: readPair(answer.body, receivedAt) }
}

function readPair(body: string, receivedAt: Date): TokenPair | null {
  let data: z.output<typeof tokenPair>
  try {
    ;({ data } = envelope(tokenPair).parse(parseJson(body)))
  } catch {
    return null
  }
  return {
    accessToken: data.accessToken,
    refreshToken: data.refreshToken,
    receivedAt: receivedAt.toISOString(),
    endsAt: new Date(receivedAt.getTime() + data.expiresIn * 1000).toISOString(),
  }
}
