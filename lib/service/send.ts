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

export type Sent<Data> =
  | { readonly kind: 'not-sent'; readonly why: string }
  | { readonly kind: 'lost'; readonly why: string; readonly ungranted?: boolean }
  | { readonly kind: 'session-over' }
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly serviceTime: string | null
      readonly traceId: string | null
      readonly data: Data | null
      readonly problem: Problem | null
      /** Always gated, but sent without a grant. */
      readonly ungranted?: boolean
    }

const TIMEOUT_MS = 30_000

/** Never repeats a change, except after 401, which comes before any effect. */
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
  /** From the first byte until a refusal without effect. */
  let maybeDone = false
  const call = async (token: string) => {
    maybeDone = true
    const answer = await callService(endpoint, {
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

function unsentFor({ method, path }: { readonly method: string; readonly path: string }, error: unknown): Exchanged {
  const why = isOfStore(error) ? STORE_OUT : CONSOLE_FAULT
  const name = error instanceof Error ? error.name : 'error'
  log().error({ event: 'send', endpoint: `${method} ${path}`, why, error: name }, 'nothing was sent')
  return { kind: 'not-sent', why }
}

export const STORE_OUT = 'store'
export const CONSOLE_FAULT = 'console'

/** By name: each bundle has its own copy of the class. */
const isOfStore = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'DatabaseError' || isOfStore(error.cause))
