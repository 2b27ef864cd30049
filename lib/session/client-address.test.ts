import { expect, test } from 'vitest'
import { addressIn } from './sign-in/sign-in.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
])('what a proxy writes as %j is the address %s', (written, address) => {
  expect(addressIn(written)).toBe(address)
})

test.each(['', 'unknown', '_hidden', '<b>1.2.3.4</b>', '1.2.3', '1.2.3.4:', '[]', '1.2.3.4 5.6.7.8', '1'.repeat(999)])(
  'what is no address is none: %j',
  (written) => {
    expect(addressIn(written)).toBeNull()
  },
)
