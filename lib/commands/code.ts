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

/** What the next rejected code does, as far as that is known. */
export interface LockAhead {
  /** Whether it locks verification; null where nobody told after how many it does. */
  readonly isNext: boolean | null
  /** How long a lock lasts; null where nobody told. */
  readonly seconds: number | null
}

export const LOCK_NOT_KNOWN: LockAhead = { isNext: null, seconds: null }

/** To be read before the next code is typed; null when there is nothing to warn of. */
export function lockAheadWords({ isNext, seconds }: LockAhead): string | null {
  if (isNext === false) return null
  if (isNext === null) {
    return 'Too many rejected codes lock verification. After how many, and for how long, the service does not tell.'
  }
  return seconds === null
    ? 'One more rejected code locks verification. For how long, the service does not tell before.'
    : `One more rejected code locks verification for ${durationWords(seconds)}.`
}

function durationWords(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
