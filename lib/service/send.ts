import 'server-only'
import type { z } from 'zod'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { addressOf, type Endpoint, type PathParams } from '#lib/contract/endpoint.ts'
import { type Problem, STEP_UP_HEADER } from '#lib/contract/problem.ts'
import type { Exchanged } from '#lib/http/exchange.ts'
import type { Session } from '#lib/session/session.ts'
import { dropGrant, grantOf } from '#lib/session/step-up-grants.ts'
import { callService } from '#lib/telemetry/call-service.ts'
import { readData, readProblem, serviceTime, traceIdIn } from './answer.ts'
import { authorized } from './authorized.ts'

/** What one attempt to change something came to; what that means is for `lib/commands/outcome.ts` to say. */
export type Sent<Data> =
  | { readonly kind: 'not-sent'; readonly why: string }
  | { readonly kind: 'lost'; readonly why: string; readonly ungranted?: boolean }
  | { readonly kind: 'session-over' }
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly serviceTime: string | null
      /** As the answer gives it; null where it gives none. */
      readonly traceId: string | null
      /** Of a success that fits the contract. */
      readonly data: Data | null
      /** Of anything but a success. */
      readonly problem: Problem | null
      /** The endpoint is always gated, and no grant went along. */
      readonly ungranted?: boolean
    }

const TIMEOUT_MS = 30_000

/**
 * Sends one change, once. It is never repeated, with one exception: an answer of 401 was refused before any effect, so
 * the same request goes out once more with a renewed token. A live step-up grant goes along where the endpoint is gated;
 * one that the service no longer takes is dropped.
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
  timeoutMs = TIMEOUT_MS,
): Promise<Sent<z.output<Data>>> {
  const url = addressOf(config().coreApiUrl, endpoint.path, params as Readonly<Record<string, string>>)
  if (url === null) return { kind: 'not-sent', why: 'no such address' }
  const grant = endpoint.stepUp === 'never' ? null : grantOf(session)
  /** From the first byte until an answer that is a refusal before any effect. */
  let maybeDone = false
  const call = async (token: string) => {
    maybeDone = true
    const answer = await sendOnce({ endpoint, url, token, grant, body, timeoutMs })
    maybeDone = answer.kind === 'lost' || (answer.kind === 'answer' && answer.status !== 401)
    return answer
  }
  const answer = await authorized(session, call).catch((error: unknown): Exchanged => {
    if (maybeDone) throw error
    return unsentFor(endpoint, error)
  })
  if (answer === 'over') return { kind: 'session-over' }
  const ungranted = endpoint.stepUp === 'always' && grant === null
  if (answer.kind === 'lost') return { ...answer, ungranted }
  if (answer.kind !== 'answer') return answer
  const { status, headers } = answer
  const success = status >= 200 && status < 300
  const problem = success ? null : readProblem(endpoint, status, headers, answer.body)
  if (grant !== null && problem?.code === 'core::gatekeeper::required') dropGrant(session.id, grant)
  return {
    kind: 'answer',
    status,
    serviceTime: serviceTime(headers),
    traceId: problem === null ? traceIdIn(headers, answer.body) : problem.traceId,
    data: success ? (readData(endpoint.data, headers, answer.body)?.data ?? null) : null,
    problem,
    ungranted,
  }
}

/** Why nothing went out: without the store there is no token, and whatever else fails here is a fault of the console. */
function unsentFor({ method, path }: { readonly method: string; readonly path: string }, error: unknown): Exchanged {
  const why = isOfStore(error) ? STORE_OUT : CONSOLE_FAULT
  const name = error instanceof Error ? error.name : 'error'
  log().error({ event: 'send', endpoint: `${method} ${path}`, why, error: name }, 'nothing was sent')
  return { kind: 'not-sent', why }
}

/** Why nothing was sent: the console's own store cannot be read. */
export const STORE_OUT = 'store'
/** Why nothing was sent: something in the console went wrong. */
export const CONSOLE_FAULT = 'console'

/** By name, as the store lies behind the session here; an opening of the store that failed has the reason as its cause. */
const isOfStore = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'DatabaseError' || isOfStore(error.cause))

interface Request {
  readonly endpoint: Pick<Endpoint, 'method' | 'path'>
  readonly url: URL
  readonly token: string
  readonly grant: string | null
  readonly body: unknown
  readonly timeoutMs: number
}

function sendOnce({ endpoint, url, token, grant, body, timeoutMs }: Request): Promise<Exchanged> {
  return callService(endpoint, {
    url,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(grant === null ? {} : { [STEP_UP_HEADER]: grant }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeoutMs,
    reuseConnection: false,
  })
}
