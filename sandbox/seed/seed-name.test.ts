import { expect, test } from 'vitest'
import { factorOf, readSeedName } from './seed-name.ts'

test.each([
  [undefined, 'demo'],
  ['', 'demo'],
  ['demo', 'demo'],
  ['large', 'large'],
  ['large:10', 'large:10'],
])('SANDBOX_SEED %j is the %s world', (value, name) => {
  expect(readSeedName(value)).toBe(name)
})

test.each([['huge'], ['Large'], ['demo '], ['large:'], ['large:0'], ['large:21'], ['large:1e1'], ['demo:2']])(
  'SANDBOX_SEED %j is refused in words that name what there is',
  (value) => {
    expect(() => readSeedName(value)).toThrow(`SANDBOX_SEED is demo, large, or large:2 to large:20, not "${value}".`)
  },
)

test('the number behind large says how many times its cases there are', () => {
  expect([factorOf('large'), factorOf('large:10')]).toEqual([1, 10])
})
