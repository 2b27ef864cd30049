import 'server-only'
import { config } from '#lib/config/config.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { isStorableThroughout } from '#lib/contract/json.ts'
import { readText } from './request-body.ts'

const BODY_MAX_BYTES = 64 * 1024

/** CSRF guard. Null when the console's own page sent the request: other sites cannot set these headers. */
export function foreignRequest(request: Request): string | null {
  const { headers } = request
  if (headers.get('x-console') !== '1') return 'the header X-Console is missing'
  if (headers.get('sec-fetch-site') !== 'same-origin') return 'the request comes from another site'
  const origin = headers.get('origin')
  if (origin !== null && origin !== config().baseUrl) return 'the origin is not this console'
  if (origin === null && request.method !== 'GET') return 'the origin is missing'
  return null
}

/** CSRF guard of forms, which cannot send X-Console. Null when accepted; the caller must also check a CSRF token. */
export function refusedForm({ headers }: Request): 403 | 413 | null {
  const ours = headers.get('sec-fetch-site') === 'same-origin' && headers.get('origin') === config().baseUrl
  if (!ours) return 403
  return Number(headers.get('content-length') ?? 0) <= BODY_MAX_BYTES ? null : 413
}

export function refusedBody({ headers }: Request): 413 | 415 | null {
  const type = headers.get('content-type')
  const length = Number(headers.get('content-length') ?? 0)
  if (!(length <= BODY_MAX_BYTES)) return 413
  const bodiless = length === 0 && !headers.has('transfer-encoding') && type === null
  return bodiless || /^application\/json\s*(;|$)/i.test(type ?? '') ? null : 415
}

/** Null when the body is too large. Cached, because the guard and the handler both read it. */
export function bodyOf(request: Request): Promise<string | null> {
  const bodies = perProcess('request bodies', () => new WeakMap<Request, Promise<string | null>>())
  const body = bodies.get(request) ?? readText(request, BODY_MAX_BYTES)
  bodies.set(request, body)
  return body
}

/** Null also when a text cannot be stored. */
export async function readJson(request: Request): Promise<{ readonly body: unknown } | null> {
  const read = await readAnyJson(request)
  return read !== null && isStorableThroughout(read.body) ? read : null
}

/** {@link readJson} without the check of texts, for callers that report faults by field. */
export async function readAnyJson(request: Request): Promise<{ readonly body: unknown } | null> {
  if (refusedBody(request) !== null) return null
  const text = await bodyOf(request)
  if (text === null) return null
  try {
    return { body: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}
