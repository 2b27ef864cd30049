import 'server-only'
import { config } from '#lib/config/config.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { isStorableThroughout } from '#lib/contract/json.ts'

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

/** Null when the body exceeds `maxBytes`, with or without a content-length. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer | null> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return null
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.length
    if (size > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

export const readText = async (request: Request, maxBytes: number): Promise<string | null> =>
  (await readBytes(request, maxBytes))?.toString('utf8') ?? null

export interface FormPart {
  readonly fileName: string | null
  readonly bytes: Buffer
}

const PARTS_MAX = 8
const PART_HEAD_MAX_BYTES = 8 * 1024
const HEAD_END = '\r\n\r\n'

/** `formData()` blocks the thread for over 100 ms at 5 MB. `too-long`: a part's headers are too long. */
export function readForm(body: Buffer, type: string): ReadonlyMap<string, FormPart> | 'no-form' | 'too-long' {
  const [, quoted, plain] = /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  const first = `--${boundary}`
  if (boundary === undefined || body.indexOf(first) !== 0) return 'no-form'
  const parts = new Map<string, FormPart>()
  let count = 0
  for (let at = first.length; body.toString('latin1', at, at + 2) !== '--'; ) {
    const head = body.subarray(at, at + PART_HEAD_MAX_BYTES)
    const headEnd = head.indexOf(HEAD_END)
    if (headEnd === -1 && head.length === PART_HEAD_MAX_BYTES) return 'too-long'
    const begin = at + headEnd + HEAD_END.length
    const end = headEnd === -1 ? -1 : body.indexOf(`\r\n${first}`, begin)
    const name = fieldIn(head.toString('utf8', 0, headEnd), 'name')
    count += 1
    if (end === -1 || name === null || count > PARTS_MAX) return 'no-form'
    const fileName = fieldIn(head.toString('utf8', 0, headEnd), 'filename')
    if (!parts.has(name)) parts.set(name, { fileName, bytes: body.subarray(begin, end) })
    at = end + first.length + 2
  }
  return parts
}

/** Browsers escape quotes and line ends in names (HTML, "multipart form data"). */
function fieldIn(head: string, field: 'name' | 'filename'): string | null {
  const found = new RegExp(`^content-disposition:\\s*form-data\\b.*;\\s*${field}="([^"\\r\\n]*)"`, 'im').exec(head)?.[1]
  return found?.replace(/%22|%0D|%0A/gi, decodeURIComponent) ?? null
}
