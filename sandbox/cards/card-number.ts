import type { Randomness } from '#sandbox/world/random.ts'

/** A 9 and Belize's country code, 084: numbers for national use, so that no card network ever issues one of them. */
const ISSUER_PREFIX = '908400'
const RANDOM_BYTES = 6
const RANDOM_DIGITS = 9

/** A card number: 16 digits, of which the last checks the others. Nobody can guess it; it may be taken already. */
export function newCardNumber(random: Randomness): string {
  const drawn = random.bytes(RANDOM_BYTES).readUIntBE(0, RANDOM_BYTES) % 10 ** RANDOM_DIGITS
  const digits = ISSUER_PREFIX + String(drawn).padStart(RANDOM_DIGITS, '0')
  return `${digits}${luhnDigit(digits)}`
}

/** Luhn: from the right, every other digit counts twice, and the whole number adds up to a multiple of ten. */
function luhnDigit(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const counted = place % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return (10 - (sum % 10)) % 10
}

/** A number as a holder types it, with its spacing and dashes taken out. */
export const bareNumber = (typed: string): string => typed.replace(/[\s\p{Dash_Punctuation}]/gu, '')
