import 'server-only'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { isStorable, parseJson } from '#lib/contract/json.ts'
import { codeOf, type Problem, problemDocument } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { envelope } from '#lib/contract/wire.ts'
import { msAhead } from './service-clock.ts'

/** A failed read is a problem, never an empty value. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value; readonly serviceTime: string | null }
  | { readonly ok: false; readonly problem: Problem }

/** Proxies and maintenance pages answer 200 too. */
const saysJson = ({ 'content-type': type }: IncomingHttpHeaders): boolean =>
  type === undefined || /^[^;]*[/+]json\s*(;|$)/i.test(type)

/** Null if the body does not fit the contract. */
export function readData<Data extends z.ZodType>(
  schema: Data,
  headers: IncomingHttpHeaders,
  body: string,
): { readonly data: z.output<Data> } | null {
  if (!saysJson(headers)) return null
  try {
    const parsed = envelope(schema).safeParse(parseJson(body))
    return parsed.success ? (parsed.data as { readonly data: z.output<Data> }) : null
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
