import { afterEach, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { endSends, isBeingSent, whileSending } from './send.ts'

afterEach(() => putPerProcess('sends', undefined))

test('the end waits for every send that had begun, the failed ones too, and none begins after it', async () => {
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const running = whileSending('first', () => first.promise)
  const failing = whileSending('second', () => second.promise)
  let hasEnded = false
  const ended = endSends().then(() => {
    hasEnded = true
  })
  expect(() => whileSending('late', async () => 'late')).toThrow('stopping')
  first.resolve('done')
  expect(await running).toBe('done')
  await new Promise(setImmediate)
  expect(hasEnded).toBe(false)
  second.reject(new Error('out'))
  await expect(failing).rejects.toThrow('out')
  await ended
})

test('lets continued work hold a command at shutdown', async () => {
  const [outer, inner] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sending = whileSending('one', () => outer.promise)
  const ended = endSends()
  const writing = whileSending('one', () => inner.promise)
  outer.resolve()
  await sending
  expect(isBeingSent('one')).toBe(true)
  inner.resolve()
  await writing
  await ended
  expect(isBeingSent('one')).toBe(false)
})
