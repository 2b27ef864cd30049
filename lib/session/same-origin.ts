import 'server-only'
import { config } from '#lib/config/config.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { isStorableThroughout } from '#lib/contract/storable-text.ts'
import { readText } from './request-body.ts'

const BODY_MAX_BYTES = 64 * 1024

/**
 * What every request that changes something must show: that this console's own page sent it. Null when it does, else
 * why not. A page elsewhere can send none of these headers for us.
 */
export function foreignRequest(request: Request): string | null {
  const { headers } = request
  if (headers.get('x-console') !== '1') return 'the header X-Console is missing'
  if (headers.get('sec-fetch-site') !== 'same-origin') return 'the request comes from another site'
  const origin = headers.get('origin')
  if (origin !== null && origin !== config().baseUrl) return 'the origin is not this console'
  if (origin === null && request.method !== 'GET') return 'the origin is missing'
  return null
}

/**
 * Why a form is not taken that cannot carry our header, because a browser sends it by itself: from another site, or too
 * large. Null when there is nothing against it; whoever takes it looks for a token of its own as well.
 */
export function refusedForm({ headers }: Request): 403 | 413 | null {
  const ours = headers.get('sec-fetch-site') === 'same-origin' && headers.get('origin') === config().baseUrl
  if (!ours) return 403
  return Number(headers.get('content-length') ?? 0) <= BODY_MAX_BYTES ? null : 413
}

/** Why a body is not taken, by its headers alone: too large, or not JSON. Null when there is nothing against it. */
export function refusedBody({ headers }: Request): 413 | 415 | null {
  const type = headers.get('content-type')
  const length = Number(headers.get('content-length') ?? 0)
  if (!(length <= BODY_MAX_BYTES)) return 413
  const bodiless = length === 0 && !headers.has('transfer-encoding') && type === null
  return bodiless || /^application\/json\s*(;|$)/i.test(type ?? '') ? null : 415
}

/** The body as text; null when it is larger than any of ours. It is read once, for the guard of all handlers and for the handler. */
export function bodyOf(request: Request): Promise<string | null> {
  const bodies = perProcess('request bodies', () => new WeakMap<Request, Promise<string | null>>())
  const body = bodies.get(request) ?? readText(request, BODY_MAX_BYTES)
  bodies.set(request, body)
  return body
}

/**
 * The JSON body of a request; null when it is not JSON, larger than any body of ours, or holds a text that the store cannot
 * hold, at whatever depth.
 */
export async function readJson(request: Request): Promise<{ readonly body: unknown } | null> {
  const read = await readAnyJson(request)
  return read !== null && isStorableThroughout(read.body) ? read : null
}

/** {@link readJson} with texts as they came, for those who say of each field what is wrong with it. */
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
