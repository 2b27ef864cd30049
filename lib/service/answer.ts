import 'server-only'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { perProcess } from '#lib/config/per-process.ts'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { isStorable, parseJson } from '#lib/contract/json.ts'
import { codeOf, PROBLEM_TYPE_PREFIX, type Problem, problemDocument } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { envelope } from '#lib/contract/wire.ts'
import type { Exchanged } from '#lib/http/exchange.ts'

interface Silence {
  answeredAtMs: number
  since: string | null
  readonly listeners: Set<() => void>
}

const silence = (): Silence =>
  perProcess('service silence', () => ({ answeredAtMs: 0, since: null, listeners: new Set() }))

/** Proxies answer with these when the service does not. */
const UNANSWERED_STATUSES = new Set([502, 503, 504])

const isProblem = (body: string): boolean => body.includes(PROBLEM_TYPE_PREFIX)

/** `beganMs`: since 1970. A failed call counts only if no other call was answered since it began. */
export function recordCall(answer: Exchanged, beganMs: number): void {
  const known = silence()
  if (answer.kind === 'answer' && (!UNANSWERED_STATUSES.has(answer.status) || isProblem(answer.body))) {
    known.answeredAtMs = Date.now()
    changeSince(null)
  } else if (beganMs >= known.answeredAtMs) changeSince(known.since ?? new Date(beganMs).toISOString())
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

/** Milliseconds. This machine's clock may be minutes off, so the service's is used if known. */
export const msAhead = (time: string, serviceTime: string | null): number =>
  Date.parse(time) - (serviceTime === null ? Date.now() : Date.parse(serviceTime))

/** A wrong clock here must not make a new grant useless. */
const LIVES_AT_LEAST_MS = 60_000

/** ISO 8601. */
export function endByThisClock(time: string, serviceTime: string | null): string {
  const ahead = msAhead(time, serviceTime)
  return new Date(Date.now() + (serviceTime === null ? Math.max(ahead, LIVES_AT_LEAST_MS) : ahead)).toISOString()
}

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
    const { title, traceId, errors } = parsed.data
    return {
      ...known,
      code: codeOf(parsed.data),
      title: title ?? null,
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

export function retryAfter(headers: IncomingHttpHeaders): number | null {
  const value = headers['retry-after']
  if (value === undefined) return null
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil(msAhead(value, serviceTime(headers)) / 1000))
}

/** ISO 8601. Holds are measured by the service's clock. */
export function serviceTime(headers: IncomingHttpHeaders): string | null {
  const at = Date.parse(headers.date ?? '')
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
