import 'server-only'
import { config } from '#lib/config/config.ts'
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

/** Why a body is not taken, by its headers alone: too large, or not JSON. Null when there is nothing against it. */
export function refusedBody({ headers }: Request): 413 | 415 | null {
  const type = headers.get('content-type')
  const length = Number(headers.get('content-length') ?? 0)
  if (!(length <= BODY_MAX_BYTES)) return 413
  const bodiless = length === 0 && !headers.has('transfer-encoding') && type === null
  return bodiless || /^application\/json\s*(;|$)/i.test(type ?? '') ? null : 415
}

/** The JSON body of a request; null when it is not JSON or larger than any body of ours. */
export async function readJson(request: Request): Promise<{ readonly body: unknown } | null> {
  if (refusedBody(request) !== null) return null
  const text = await readText(request, BODY_MAX_BYTES)
  if (text === null) return null
  try {
    return { body: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}
