import 'server-only'
import type { Config } from '#lib/config/config.ts'

type Headers = Readonly<Record<string, string>>

const CSP_REPORT_PATH = '/api/csp-report'

export function fileHeaders({ baseUrl }: Config): Headers {
  const { protocol, hostname } = new URL(baseUrl)
  // No HSTS on localhost: developers serve other things there without TLS.
  const remote = protocol === 'https:' && hostname !== 'localhost'
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    ...(remote ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

export const pageHeaders = (config: Config, nonce: string): Headers =>
  answerHeaders(config, `'nonce-${nonce}' 'strict-dynamic'${config.development ? " 'unsafe-eval'" : ''}`)

export const plainHeaders = (config: Config): Headers => answerHeaders(config, "'none'")

/** Forbids compression by proxies, which would delay streams. */
export const callHeaders = (config: Config): Headers => ({
  ...plainHeaders(config),
  'cache-control': 'no-store, no-transform',
})

function answerHeaders(config: Config, scripts: string): Headers {
  const policy = [
    "default-src 'self'",
    `script-src ${scripts}`,
    // The component libraries set style attributes; a style cannot run code.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // `report-to` requires https, and some browsers lack it.
    `report-uri ${CSP_REPORT_PATH}`,
  ]
  return { ...fileHeaders(config), 'content-security-policy': policy.join('; '), 'cache-control': 'no-store' }
}

/** For redirects and errors that Next answers itself. */
export const bareHeaders = (config: Config): Headers => ({
  ...fileHeaders(config),
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
})
