import 'server-only'
import type { Config } from '#lib/config/parse.ts'

type Headers = Readonly<Record<string, string>>

/** Where browsers tell what the policy refused. */
const CSP_REPORT_PATH = '/api/csp-report'

/** What every answer carries, pages and files alike. */
export function fileHeaders({ baseUrl }: Config): Headers {
  const { protocol, hostname } = new URL(baseUrl)
  // A developer's machine serves other things on the same name, without TLS.
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

/**
 * What every answer that is made for a request carries besides: nothing is loaded from elsewhere, and nobody keeps a copy.
 * Scripts of a page run by this answer's nonce only.
 */
export const pageHeaders = (config: Config, nonce: string): Headers =>
  answerHeaders(config, `'nonce-${nonce}' 'strict-dynamic'${config.development ? " 'unsafe-eval'" : ''}`)

/** Of a page that runs no script at all. */
export const plainHeaders = (config: Config): Headers => answerHeaders(config, "'none'")

/** What is no page may be a stream: nobody may compress it, which would hold it back. */
export const callHeaders = (config: Config): Headers => ({
  ...plainHeaders(config),
  'cache-control': 'no-store, no-transform',
})

function answerHeaders(config: Config, scripts: string): Headers {
  const issuer = new URL(config.sso.issuer).origin
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
    // The sign-in form leads on to the identity provider, and browsers hold redirects against this as well.
    `form-action 'self' ${issuer}`,
    "frame-ancestors 'none'",
    // Not report-to: it takes https, and not every browser knows it.
    `report-uri ${CSP_REPORT_PATH}`,
  ]
  return { ...fileHeaders(config), 'content-security-policy': policy.join('; '), 'cache-control': 'no-store' }
}

/** What an answer carries that no code of ours has made: redirects and errors of the framework. It runs and loads nothing. */
export const bareHeaders = (config: Config): Headers => ({
  ...fileHeaders(config),
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
})
