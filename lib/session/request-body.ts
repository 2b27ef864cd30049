import 'server-only'

/** The body of a request; null when it has more bytes than allowed, however it was sent. */
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

/** The body of a request as text; null when it has more bytes than allowed. */
export async function readText(request: Request, maxBytes: number): Promise<string | null> {
  return (await readBytes(request, maxBytes))?.toString('utf8') ?? null
}

export interface FormPart {
  /** Null of a field that is no file. */
  readonly fileName: string | null
  readonly bytes: Buffer
}

/** No form of ours has more: a file, and what is said about it. */
const PARTS_MAX = 8
/** A part has a name, a file name and a type. */
const PART_HEAD_MAX_BYTES = 8 * 1024
const HEAD_END = '\r\n\r\n'

/**
 * The parts of a `multipart/form-data` body by name, without a copy of their bytes: to read 5 MB with `formData()` takes more than
 * 100 ms of the thread that answers everybody. `no-form`: it is none, or has more parts. `too-long`: the headers of a part are.
 */
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

/** Browsers write a quote and the ends of lines as escapes (HTML, "multipart form data"). */
function fieldIn(head: string, field: 'name' | 'filename'): string | null {
  const found = new RegExp(`^content-disposition:\\s*form-data\\b.*;\\s*${field}="([^"\\r\\n]*)"`, 'im').exec(head)?.[1]
  return found?.replace(/%22|%0D|%0A/gi, decodeURIComponent) ?? null
}
