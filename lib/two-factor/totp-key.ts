export interface TotpKey {
  /** Base32. */
  readonly secret: string
  /** For example `Wallet Payments: ana@example.com`; may be empty. */
  readonly label: string
  readonly digits: number | null
}

/** From a provisioning URI (`otpauth://totp/Issuer:account?secret=…`). Null without a valid Base32 secret. */
export function totpKeyOf(url: string): TotpKey | null {
  if (!URL.canParse(url)) return null
  const { protocol, pathname, searchParams } = new URL(url)
  const secret = searchParams.get('secret') ?? ''
  if (protocol !== 'otpauth:' || !/^[A-Z2-7]+=*$/i.test(secret)) return null
  return { secret, label: labelOf(pathname), digits: digitsOf(searchParams.get('digits')) }
}

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

export const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? ''
