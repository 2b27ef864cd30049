import { afterEach, expect, test } from 'vitest'
import { endExecutions, keepUnderWay } from './under-way.ts'

afterEach(() => Object.assign(globalThis, { consoleUnderWay: undefined }))

test('the end waits for every execution that had begun, the failed ones too, and none begins after it', async () => {
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const running = keepUnderWay(() => first.promise)
  const failing = keepUnderWay(() => second.promise)
  const ended = endExecutions().then(() => 'ended')
  expect(() => keepUnderWay(async () => 'late')).toThrow('stopping')
  first.resolve('done')
  expect(await running).toBe('done')
  const soon = new Promise<string>((done) => setTimeout(done, 20, 'still under way'))
  expect(await Promise.race([ended, soon])).toBe('still under way')
  second.reject(new Error('out'))
  await expect(failing).rejects.toThrow('out')
  expect(await ended).toBe('ended')
})
