/** What an authenticator needs, as a person types it in. */
export interface TotpKey {
  /** Base32. */
  readonly secret: string
  /** Who the key is for, as the authenticator lists it: `Wallet Payments: ana@example.com`; empty when it is not said. */
  readonly label: string
  /** How many digits its codes have; null where the URI does not say. */
  readonly digits: number | null
}

/** Reads a provisioning URI (`otpauth://totp/Issuer:account?secret=…`). Null when it carries no secret that can be typed. */
export function totpKeyOf(url: string): TotpKey | null {
  if (!URL.canParse(url)) return null
  const { protocol, pathname, searchParams } = new URL(url)
  const secret = searchParams.get('secret') ?? ''
  if (protocol !== 'otpauth:' || !/^[A-Z2-7]+=*$/i.test(secret)) return null
  return { secret, label: labelOf(pathname), digits: digitsOf(searchParams.get('digits')) }
}

/** As many as a code can have. */
function digitsOf(text: string | null): number | null {
  const digits = /^\d{1,2}$/.test(text ?? '') ? Number(text) : 0
  return digits >= 4 && digits <= 20 ? digits : null
}

function labelOf(pathname: string): string {
  try {
    return decodeURIComponent(pathname.replace(/^\/+/, '')).replace(/:\s*/, ': ')
  } catch {
    return ''
  }
}

/** In groups of four, as it is easiest to type. */
export const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? ''
