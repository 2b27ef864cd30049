/** Contains no query string and no page content. */
export interface CspReport {
  readonly directive: string
  readonly blocked: string
}

const KEYWORDS = new Set([
  'inline',
  'eval',
  'wasm-eval',
  'self',
  'data',
  'blob',
  'trusted-types-policy',
  'trusted-types-sink',
])

/** The two fields that are safe to log; null when the body is not a report. The sender controls the text. */
export function cspReportOf(body: unknown): CspReport | null {
  const report = fieldOf(body, 'csp-report')
  const named = fieldOf(report, 'effective-directive') ?? fieldOf(report, 'violated-directive')
  const [directive = ''] = typeof named === 'string' ? named.split(' ') : []
  if (!/^[a-z][a-z-]{2,39}$/.test(directive)) return null
  return { directive, blocked: blockedOf(fieldOf(report, 'blocked-uri')) }
}

function blockedOf(uri: unknown): string {
  if (typeof uri !== 'string') return 'unknown'
  if (KEYWORDS.has(uri)) return uri
  const url = URL.parse(uri)
  if (url === null) return 'unknown'
  return /^(https?|wss?):$/.test(url.protocol) && url.host.length <= 100
    ? `${url.protocol}//${url.host}`
    : url.protocol.slice(0, 20)
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
