import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'

import { limitConcurrency, type ThreadService } from '#lib/disputes/dispute-service.ts'

test('limits concurrent reads and keeps their order after failures', async () => {
  const begun: string[] = []
  const end: ((fails: boolean) => void)[] = []
  const read = (what: string) =>
    new Promise<never>((_done, fail) => {
      begun.push(what)
      end.push((fails) => fail(fails ? new Error(what) : problemOf('unreachable')))
    })
  const service: ThreadService = { readCase: read, readPage: (caseId, page) => read(`${caseId} ${page}`) }
  const few = limitConcurrency(service, 2)
  const readings = [few.readCase('a'), few.readPage('a', 1), few.readCase('b'), few.readPage('b', 2)]
  const ended = Promise.allSettled(readings)
  await turn()
  expect(begun).toEqual(['a', 'a 1'])
  end[1]?.(true)
  await turn()
  expect(begun).toEqual(['a', 'a 1', 'b'])
  for (const one of end) one(false)
  await turn()
  for (const one of end) one(false)
  await ended
  await expect(Promise.race([few.readCase('c'), turn('waits')])).resolves.toBe('waits')
  expect(begun).toEqual(['a', 'a 1', 'b', 'b 2', 'c'])
})

test('leaves out a reading that nobody waits for any more', async () => {
  const begun: string[] = []
  const end: (() => void)[] = []
  const read = (what: string) =>
    new Promise<never>((_done, fail) => {
      begun.push(what)
      end.push(() => fail(new Error(what)))
    })
  const few = limitConcurrency({ readCase: read, readPage: read }, 1)
  const gone = new AbortController()
  const readings = [few.readCase('a'), few.readCase('b', gone.signal), few.readPage('c', 1, gone.signal)]
  const ended = Promise.allSettled(readings)
  await turn()
  gone.abort()
  end[0]?.()
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(begun).toEqual(['a'])
})
