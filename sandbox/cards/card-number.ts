import type { Randomness } from '#sandbox/world/random.ts'

/** 9 and Belize's country code: a range for national use, so no card network issues these numbers. */
const ISSUER_PREFIX = '908400'
const RANDOM_BYTES = 6
const RANDOM_DIGITS = 9

/** 16 digits with a Luhn check digit. The number may already be taken. */
export function newCardNumber(random: Randomness): string {
  const drawn = random.bytes(RANDOM_BYTES).readUIntBE(0, RANDOM_BYTES) % 10 ** RANDOM_DIGITS
  const digits = ISSUER_PREFIX + String(drawn).padStart(RANDOM_DIGITS, '0')
  return `${digits}${luhnDigit(digits)}`
}

function luhnDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const counted = place % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return (10 - (sum % 10)) % 10
}

export const bareNumber = (typed: string): string => typed.replace(/[\s\p{Dash_Punctuation}]/gu, '')
