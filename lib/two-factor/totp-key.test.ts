import { expect, test } from 'vitest'
import { grouped, totpKeyOf } from './totp-key.ts'

test.each([
  [
    'otpauth://totp/Wallet%20Payments:ana%40example.com?issuer=Wallet%20Payments&secret=JBSWY3DPEHPK3PXP&period=30',
    { secret: 'JBSWY3DPEHPK3PXP', label: 'Wallet Payments: ana@example.com', digits: null },
  ],
  ['otpauth://totp/ana?secret=jbswy3dp', { secret: 'jbswy3dp', label: 'ana', digits: null }],
  ['otpauth://totp?secret=JBSWY3DP', { secret: 'JBSWY3DP', label: '', digits: null }],
  ['otpauth://totp/%E0%A4%A?secret=JBSWY3DP', { secret: 'JBSWY3DP', label: '', digits: null }],
  ['otpauth://totp?secret=JBSWY3DP&digits=8', { secret: 'JBSWY3DP', label: '', digits: 8 }],
  ['otpauth://totp?secret=JBSWY3DP&digits=99', { secret: 'JBSWY3DP', label: '', digits: null }],
  ['otpauth://totp?secret=JBSWY3DP&digits=six', { secret: 'JBSWY3DP', label: '', digits: null }],
])('%s carries a key', (url, key) => {
  expect(totpKeyOf(url)).toEqual(key)
})

test.each([
  ['otpauth://totp/ana'],
  ['otpauth://totp/ana?secret='],
  ['otpauth://totp/ana?secret=not%20base32!'],
  ['https://example.com/?secret=JBSWY3DP'],
  ['JBSWY3DP'],
  [''],
])('%s carries none', (url) => {
  expect(totpKeyOf(url)).toBeNull()
})

test('a secret is shown in groups of four', () => {
  expect(grouped('JBSWY3DPEH')).toBe('JBSW Y3DP EH')
})
