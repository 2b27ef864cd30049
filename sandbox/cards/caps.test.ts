import { expect, test } from 'vitest'
import { parseUnits } from '#sandbox/ledger/amount.ts'
import { type CapName, type Caps, capNames, loosens } from './caps.ts'

const NONE: Caps = { perTxnCap: null, dailyCap: null, lifetimeCap: null }
const units = (text: string | null) => (text === null ? null : parseUnits(text))
const only = (name: CapName, text: string | null): Caps => ({ ...NONE, [name]: units(text) })

/** Cap rule 4, line by line. */
const rule: readonly (readonly [before: string | null, after: string | null, loosening: boolean])[] = [
  [null, null, false],
  [null, '100', false],
  ['100', null, true],
  ['100', '100.00000001', true],
  ['9', '10', true],
  ['999999999999.99999998', '999999999999.99999999', true],
  ['100', '100', false],
  ['100', '100.00000000', false],
  ['100', '99.99999999', false],
  ['10', '9', false],
]

test.each(capNames.flatMap((name) => rule.map((line) => [name, ...line] as const)))(
  '%s from %s to %s: loosening is %s',
  (name, before, after, loosening) => {
    expect(loosens(only(name, before), only(name, after))).toBe(loosening)
  },
)

test.each(capNames)('one cap that loosens is enough, whatever the others do: %s', (name) => {
  const before: Caps = { perTxnCap: 10n, dailyCap: 20n, lifetimeCap: 30n }
  const tighter: Caps = { perTxnCap: 1n, dailyCap: 2n, lifetimeCap: 3n }
  expect(loosens(before, tighter)).toBe(false)
  expect(loosens(before, { ...tighter, [name]: null })).toBe(true)
  expect(loosens(before, { ...tighter, [name]: 31n })).toBe(true)
})
