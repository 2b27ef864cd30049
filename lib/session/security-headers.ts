import 'server-only'
import type { Config } from '#lib/config/parse.ts'

/** What every answer of the console carries. Scripts run by this answer's nonce only, and load nothing from elsewhere. */
export function securityHeaders(config: Config, nonce: string): Readonly<Record<string, string>> {
  const issuer = new URL(config.sso.issuer).origin
  const policy = [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${config.development ? " 'unsafe-eval'" : ''}`,
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
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(config.baseUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
      : {}),
  }
}
