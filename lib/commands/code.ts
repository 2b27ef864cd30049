/** The interface specifies neither length nor alphabet of a code. */
const CODE = /^[0-9A-Za-z]{4,20}$/

/** Includes the spaces that some authenticators show and copy. */
export const TYPED_CODE_MAX_CHARS = 40

export function readCode(typed: string | null): string | null {
  const code = typed?.replace(/\s/g, '') ?? ''
  return CODE.test(code) ? code : null
}

export function isWholeCode(typed: string, digits: number | null): boolean {
  const code = readCode(typed)
  return code !== null && code.length === digits && /^\d+$/.test(code)
}

export interface LockAhead {
  readonly isNext: boolean | null
  readonly seconds: number | null
}

export const LOCK_NOT_KNOWN: LockAhead = { isNext: null, seconds: null }

export function lockAheadWords({ isNext, seconds }: LockAhead): string | null {
  if (isNext === false) return null
  if (isNext === null) return 'Too many rejected codes lock verification.'
  return seconds === null
    ? 'One more rejected code locks verification.'
    : `One more rejected code locks verification for ${durationWords(seconds)}.`
}

function durationWords(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
