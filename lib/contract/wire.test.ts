import { expect, test } from 'vitest'
import { z } from 'zod'
import { orNull, timestamp } from './wire.ts'

const schema = z.object({ at: orNull(timestamp) })

test.each([[{}], [{ at: null }], [{ at: undefined }]])(
  'a field that is null or left out reads as null: %j',
  (given) => {
    expect(schema.parse(given).at).toBeNull()
  },
)

test('one that is there reads as it is, or not at all', () => {
  expect(schema.parse({ at: '2026-11-20T10:00:00.0000000Z' }).at).toBe('2026-11-20T10:00:00.0000000Z')
  expect(schema.safeParse({ at: 'soon' }).success).toBe(false)
})

test.each(['2026-13-01T00:00:00.0000000Z', '2026-11-20T10:61:00Z', '2026-12-31T23:59:60Z', '2026-02-30T00:00:00Z'])(
  'a time that no clock shows is not read: %s',
  (at) => {
    expect(schema.safeParse({ at }).success).toBe(false)
  },
)
