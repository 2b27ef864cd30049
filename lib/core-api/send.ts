import 'server-only'
import type { z } from 'zod'
import { config } from '#lib/config/config.ts'
import { type Endpoint, fillPath, type PathParams } from '#lib/contract/endpoint.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { type Exchanged, exchange } from '#lib/http/exchange.ts'
import type { Session } from '#lib/session/session.ts'
import { readData, readProblem, serviceTime } from './answer.ts'
import { authorized } from './authorized.ts'

/** What one attempt to change something came to; what that means is for `lib/domain/outcome-class.ts` to say. */
export type Sent<Data> =
  | { readonly kind: 'not-sent'; readonly why: string }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'session-over' }
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly serviceTime: string | null
      /** Of a success that fits the contract. */
      readonly data: Data | null
      /** Of anything but a success. */
      readonly problem: Problem | null
    }

const TIMEOUT_MS = 30_000

/**
 * Sends one change, once. It is never repeated, with one exception: an answer of 401 was refused before any effect, so
 * the same request goes out once more with a renewed token.
 */
export async function send<
  Path extends string,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
>(
  session: Session,
  endpoint: Endpoint<Path, Query, Body, Data>,
  params: PathParams<Path>,
  body: z.input<Body>,
): Promise<Sent<z.output<Data>>> {
  const url = new URL(config().coreApiUrl + fillPath(endpoint.path, params as Readonly<Record<string, string>>))
  const answer = await authorized(session, (token) => sendOnce(endpoint.method, url, token, body))
  if (answer === 'over') return { kind: 'session-over' }
  if (answer.kind !== 'answer') return answer
  const { status, headers } = answer
  const success = status >= 200 && status < 300
  return {
    kind: 'answer',
    status,
    serviceTime: serviceTime(headers),
    data: success ? (readData(endpoint.data, answer.body)?.data ?? null) : null,
    problem: success ? null : readProblem(endpoint, status, headers, answer.body),
  }
}

function sendOnce(method: string, url: URL, token: string, body: unknown): Promise<Exchanged> {
  return exchange({
    method,
    url,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeoutMs: TIMEOUT_MS,
    reuseConnection: false,
  })
}
