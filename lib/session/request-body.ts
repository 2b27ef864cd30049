import 'server-only'

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

export async function readText(request: Request, maxBytes: number): Promise<string | null> {
  return (await readBytes(request, maxBytes))?.toString('utf8') ?? null
}

export interface FormPart {
  readonly fileName: string | null
  readonly bytes: Buffer
}

const PARTS_MAX = 8
const PART_HEAD_MAX_BYTES = 8 * 1024
const HEAD_END = '\r\n\r\n'

/**
 * Does not copy the body: `formData()` blocks the thread for over 100 ms at 5 MB. `too-long`: a part's headers are too
 * long.
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

/** Browsers escape quotes and line ends in names (HTML, "multipart form data"). */
function fieldIn(head: string, field: 'name' | 'filename'): string | null {
  const found = new RegExp(`^content-disposition:\\s*form-data\\b.*;\\s*${field}="([^"\\r\\n]*)"`, 'im').exec(head)?.[1]
  return found?.replace(/%22|%0D|%0A/gi, decodeURIComponent) ?? null
}
