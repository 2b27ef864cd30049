import { expect, test } from 'vitest'
import { readSeedName } from './seed-name.ts'

test.each([
  [undefined, 'demo'],
  ['', 'demo'],
  ['demo', 'demo'],
  ['large', 'large'],
])('SANDBOX_SEED %j is the %s world', (value, name) => {
  expect(readSeedName(value)).toBe(name)
})

test.each([['huge'], ['Large'], ['demo ']])('SANDBOX_SEED %j is refused in words that name what there is', (value) => {
  expect(() => readSeedName(value)).toThrow(`SANDBOX_SEED is demo or large, not "${value}".`)
})
