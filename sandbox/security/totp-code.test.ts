import { describe, expect, test } from 'vitest'
import { codeAt, secondsLeft, stepAt } from './totp-code.ts'

describe('codes', () => {
  // Appendix B of RFC 6238, SHA-1; a code of six digits is the end of one of eight.
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('are those of RFC 6238 at second %i', (second, eightDigits) => {
    // The base32 of the ASCII text 12345678901234567890.
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    expect(codeAt(secret, stepAt(second * 1000))).toBe(eightDigits.slice(2))
  })

  test('a step lasts from its first millisecond to its last', () => {
    expect([stepAt(29_999), stepAt(30_000), stepAt(59_999)]).toEqual([0, 1, 1])
    expect([secondsLeft(30_000), secondsLeft(30_999), secondsLeft(59_999)]).toEqual([30, 30, 1])
  })
})
