import { expect, test } from 'vitest'
import { countUpload, readOneAtATime, UPLOADS_MAX } from './uploads.ts'

const HOUR_MS = 3_600_000

test('accepts 180 uploads an hour from each person', () => {
  const now = Date.now()
  for (let at = 0; at < UPLOADS_MAX; at += 1) expect(countUpload('sso:many', now + at)).toBeNull()
  expect(countUpload('sso:many', now + 1_000_000)).toBe((HOUR_MS - 1_000_000) / 1000)
  expect(countUpload('sso:other', now + 1_000_000)).toBeNull()
  expect(countUpload('sso:many', now + HOUR_MS + 1)).toBeNull()
})

test('a person’s files are read one at a time, and few of all', async () => {
  let end = (): void => {}
  const held = new Promise<void>((done) => {
    end = done
  })
  const reading = ['a', 'b', 'c'].map((actor) => readOneAtATime(actor, () => held))
  expect(await readOneAtATime('a', async () => 1)).toEqual({ busy: 'own' })
  expect(await readOneAtATime('d', async () => 1)).toEqual({ busy: 'others' })
  end()
  await Promise.all(reading)
  expect(await readOneAtATime('a', async () => 1)).toEqual({ busy: null, value: 1 })
})

test('a file that could not be read is in nobody’s way', async () => {
  await expect(readOneAtATime('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await readOneAtATime('a', async () => 1)).toEqual({ busy: null, value: 1 })
})
