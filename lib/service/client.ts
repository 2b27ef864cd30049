import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { config } from '#lib/config/config.ts'
import { errorName, log } from '#lib/config/log.ts'
import { perProcess, steadyNow } from '#lib/config/per-process.ts'
import { addressOf, type Endpoint, envelope, type PathParams } from '#lib/contract/endpoint.ts'
import { isStorable, parseJson } from '#lib/contract/json.ts'
import {
  codeOf,
  PROBLEM_CONTENT_TYPE,
  PROBLEM_TYPE_PREFIX,
  type Problem,
  problemDocument,
  STEP_UP_HEADER,
} from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { type Exchanged, msAhead, retryAfter, serviceTime } from '#lib/http/exchange.ts'
import { endSession } from '#lib/session/end-session.ts'
import { dropGrant, grantOf, type Session } from '#lib/session/session.ts'
import { accessToken } from '#lib/session/vault/access-token.ts'
import { callService } from '#lib/telemetry/spans.ts'

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
export async function send<Path extends string, Body extends z.ZodType, Data extends z.ZodType>(
  session: Session,
  endpoint: Endpoint<Path, z.ZodType, Body, Data>,
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
  const problem = success ? null : problemIn(endpoint, answer)
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
  log().error({ event: 'send', endpoint: `${method} ${path}`, why, error: errorName(error) }, 'nothing was sent')
  return { kind: 'not-sent', why }
}

export const STORE_OUT = 'store'
export const CONSOLE_FAULT = 'console'

/** By name: each bundle has its own copy of the class. */
const isOfStore = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'DatabaseError' || isOfStore(error.cause))

/** A 401 comes before any effect, so the call is repeated once with a renewed token. */
async function authorized(session: Session, call: (token: string) => Promise<Exchanged>): Promise<Exchanged | 'over'> {
  const first = await accessToken(session)
  if (!first.ok) return withoutToken(session, first.why)
  const answer = await recorded(call, first.token)
  if (!isUnauthorized(answer)) return answer
  const renewed = await accessToken(session, first.token)
  if (!renewed.ok) return withoutToken(session, renewed.why)
  const again = await recorded(call, renewed.token)
  if (!isUnauthorized(again)) return again
  await endSession(session.id, 'refused')
  return 'over'
}

async function recorded(call: (token: string) => Promise<Exchanged>, token: string): Promise<Exchanged> {
  const beganMs = steadyNow()
  const answer = await call(token)
  recordCall(answer, beganMs)
  return answer
}

const isUnauthorized = (answer: Exchanged): boolean => answer.kind === 'answer' && answer.status === 401

export const SIGN_ON_OUT = 'single sign-on is out'

/** The service itself renews tokens after a password sign-in. */
const withoutToken = ({ method }: Session, why: 'over' | 'unavailable'): Exchanged | 'over' =>
  why === 'over' ? 'over' : { kind: 'not-sent', why: method === 'sso' ? SIGN_ON_OUT : 'no token' }

const RETRIES_MAX = 2
/** For all attempts together. */
export const READ_BUDGET_MS = 10_000

/** What the service answered to a read, as this console received it. */
export interface ServiceAnswer {
  /** Method, path and query. */
  readonly request: string
  /** ISO 8601, by the console's clock. */
  readonly at: string
  readonly body: string
}

const recording = () => perProcess('recorded answers', () => new AsyncLocalStorage<ServiceAnswer[]>())

export async function recordAnswers<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly answers: readonly ServiceAnswer[] }> {
  const answers: ServiceAnswer[] = []
  return { value: await recording().run(answers, work), answers }
}

const RETRIED_STATUSES = new Set([429, 502, 503, 504])

export async function read<Path extends string, Data extends z.ZodType>(
  session: Session,
  endpoint: Endpoint<Path, z.ZodType, z.ZodType, Data>,
  params: PathParams<Path>,
  query: Readonly<Record<string, string>> = {},
): Promise<Result<z.output<Data>>> {
  const url = addressOf(config().coreApiUrl, endpoint.path, params as Readonly<Record<string, string>>)
  if (url === null) return { ok: false, problem: problemOf('service', { status: 404 }) }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const answer = await authorized(session, (token) => readPatiently(endpoint, url, token))
  if (answer === 'over') return { ok: false, problem: problemOf('session-over') }
  if (answer.kind !== 'answer') {
    return { ok: false, problem: problemOf(answer.why === SIGN_ON_OUT ? 'sign-on-out' : 'unreachable') }
  }
  const { status, headers, body } = answer
  if (status >= 200 && status < 300) {
    const read = readData(endpoint.data, headers, body)
    if (read === null) return { ok: false, problem: problemOf('unreadable', { status }) }
    const time = serviceTime(headers)
    // Holds end by the ledger's clock.
    if (endpoint.path.startsWith('/api/v1/Transaction/')) recordServiceTime(time)
    const request = `${endpoint.method} ${url.pathname}${url.search}`
    recording().getStore()?.push({ request, at: new Date().toISOString(), body })
    return { ok: true, value: read.data, serviceTime: time, total: read.meta?.total }
  }
  return { ok: false, problem: problemIn(endpoint, answer) }
}

async function readPatiently(endpoint: Endpoint, url: URL, token: string): Promise<Exchanged> {
  const deadline = steadyNow() + READ_BUDGET_MS
  for (let attempt = 0; ; attempt += 1) {
    const answer = await callService(endpoint, {
      url,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      timeoutMs: Math.max(1, deadline - steadyNow()),
      reuseConnection: true,
    })
    if (attempt === RETRIES_MAX || (answer.kind === 'answer' && !RETRIED_STATUSES.has(answer.status))) return answer
    const pause = pauseMs(answer, attempt)
    if (steadyNow() + pause >= deadline) return answer
    await wait(pause)
  }
}

function pauseMs(answer: Exchanged, attempt: number): number {
  const retrySeconds = answer.kind === 'answer' ? retryAfter(answer.headers) : null
  return retrySeconds === null ? 250 * 2 ** attempt * (0.5 + Math.random()) : retrySeconds * 1000
}

interface Silence {
  answeredAtMs: number
  since: string | null
  readonly listeners: Set<() => void>
}

const silence = (): Silence =>
  perProcess('service silence', () => ({ answeredAtMs: 0, since: null, listeners: new Set() }))

type Answered = Extract<Exchanged, { kind: 'answer' }>

const UNANSWERED_STATUSES = new Set([502, 503, 504])

const isProblem = (body: string): boolean => body.includes(PROBLEM_TYPE_PREFIX)

/** Gateways have pages, redirects and empty 404s; the service's framework empty 403s. */
const isOfService = ({ status, headers, body }: Answered): boolean =>
  (body === '' && status >= 400 && status !== 404) ||
  isProblem(body) ||
  headers['content-type']?.startsWith(PROBLEM_CONTENT_TYPE) === true

/** `unreadable`, without a status, if a gateway answered in place of the service. */
const problemIn = (endpoint: Endpoint, answer: Answered): Problem =>
  answer.status < 500 && answer.status !== 429 && !isOfService(answer)
    ? problemOf('unreadable')
    : readProblem(endpoint, answer.status, answer.headers, answer.body)

/** `beganMs`: of `steadyNow`. A failed call counts only if no other call was answered since it began. */
export function recordCall(answer: Exchanged, beganMs: number): void {
  const known = silence()
  if (answer.kind === 'answer' && (!UNANSWERED_STATUSES.has(answer.status) || isProblem(answer.body))) {
    known.answeredAtMs = steadyNow()
    changeSince(null)
  } else if (beganMs >= known.answeredAtMs) {
    changeSince(known.since ?? new Date(Date.now() - (steadyNow() - beganMs)).toISOString())
  }
}

function changeSince(since: string | null): void {
  const known = silence()
  if (known.since === since) return
  known.since = since
  for (const listen of [...known.listeners]) listen()
}

/** ISO 8601; null while the service answers this process. */
export const serviceSilentSince = (): string | null => silence().since

export function onServiceSilence(listen: () => void): () => void {
  const { listeners } = silence()
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

const ahead = () => perProcess('service clock', () => ({ ms: 0 }))

export function recordServiceTime(serviceTime: string | null): void {
  if (serviceTime !== null) ahead().ms = Date.parse(serviceTime) - Date.now()
}

export const serviceNowMs = (): number => Date.now() + ahead().ms

/** A wrong clock here must not make a new grant useless. The `Date` header may be of a gateway, with another clock. */
const LIVES_AT_LEAST_MS = 60_000

/** ISO 8601. */
export const endByThisClock = (time: string, serviceTime: string | null): string =>
  new Date(Date.now() + Math.max(msAhead(time, serviceTime), LIVES_AT_LEAST_MS)).toISOString()

export function lockedSeconds(lockedUntil: string | null, serviceTime: string | null): number | null {
  const ahead = lockedUntil === null ? 0 : msAhead(lockedUntil, serviceTime)
  return ahead > 0 ? ahead / 1000 : null
}

/** A failed read is a problem, never an empty value. */
export type Result<Value> =
  | {
      readonly ok: true
      readonly value: Value
      readonly serviceTime: string | null
      readonly total?: number | undefined
    }
  | { readonly ok: false; readonly problem: Problem }

/** Proxies and maintenance pages answer 200 too. */
const saysJson = ({ 'content-type': type }: IncomingHttpHeaders): boolean =>
  type === undefined || /^[^;]*[/+]json\s*(;|$)/i.test(type)

/** Null if the body does not fit the contract. */
export function readData<Data extends z.ZodType>(
  schema: Data,
  headers: IncomingHttpHeaders,
  body: string,
): { readonly data: z.output<Data>; readonly meta?: { readonly total: number } | undefined } | null {
  if (!saysJson(headers)) return null
  try {
    const parsed = envelope(schema).safeParse(parseJson(body))
    return parsed.success ? (parsed.data as ReturnType<typeof readData<Data>>) : null
  } catch {
    return null
  }
}

export const onlyAbout = <Value extends { readonly id: string }>(id: string, result: Result<Value>): Result<Value> =>
  !result.ok || result.value.id.toLowerCase() === id.toLowerCase()
    ? result
    : { ok: false, problem: problemOf('unreadable', { status: 200 }) }

export function readProblem(endpoint: Endpoint, status: number, headers: IncomingHttpHeaders, body: string): Problem {
  const known = problemOf('service', { scope: endpoint.scope, status, retryAfterSeconds: retryAfter(headers) })
  try {
    const parsed = problemDocument.safeParse(parseJson(body))
    if (!parsed.success) return known
    const { title, detail, traceId, errors } = parsed.data
    return {
      ...known,
      code: codeOf(parsed.data),
      title: title ?? detail ?? null,
      traceId: readTraceId(traceId),
      ...(errors === undefined ? {} : { errors }),
    }
  } catch {
    return known
  }
}

const traceId = z.string().min(1).max(200).refine(isStorable)

const readTraceId = (value: unknown): string | null => traceId.safeParse(value).data ?? null

const traced = z.object({ traceId })

/** The interface gives trace ids for problems only; a success may have one in its body or in the header. */
export function traceIdIn(headers: IncomingHttpHeaders, body: string): string | null {
  try {
    const parsed = traced.safeParse(parseJson(body))
    if (parsed.success) return parsed.data.traceId
  } catch {}
  return readTraceId(headers.traceresponse)
}
