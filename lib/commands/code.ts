/** Codes of an authenticator: the interface gives neither their length nor their signs, so the service decides. */
const CODE = /^[0-9A-Za-z]{4,20}$/

/** As it was typed, with the spaces that some authenticators show and copy. */
export const TYPED_CODE_MAX_CHARS = 40

/** A code without its spaces; null where there is none that could be one. */
export function readCode(typed: string | null): string | null {
  const code = typed?.replace(/\s/g, '') ?? ''
  return CODE.test(code) ? code : null
}

/** Whether a code is whole as it stands, so that it may be sent by itself: only where it is known how many digits it has. */
export function isWholeCode(typed: string, digits: number | null): boolean {
  const code = readCode(typed)
  return code !== null && code.length === digits && /^\d+$/.test(code)
}
