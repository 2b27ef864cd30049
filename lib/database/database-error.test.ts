import { expect, test } from 'vitest'
import { wasRefused } from './database-error.ts'

/** As a route handler sees an error of the store that another bundle opened. */
const ofAnotherBundle = (code: string) =>
  Object.assign(new Error('the database failed'), { name: 'DatabaseError', code, statement: 'update' })

test('takes an error of another bundle for what it is', () => {
  expect(['40P01', 'ECONNRESET', '23505', '22001'].map((code) => wasRefused(ofAnotherBundle(code)))).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(wasRefused(new TypeError('no field'))).toBe(true)
})
