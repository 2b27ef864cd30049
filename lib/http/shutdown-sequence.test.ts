import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ShutdownLimits, type ShutdownSteps, shutDownInOrder } from './shutdown.ts'

const LIMITS = { answersMs: 50, changesMs: 100, lastMs: 50 }
const never = (): Promise<never> => new Promise(() => {})
const after = (ms: number) => () => new Promise((done) => setTimeout(done, ms))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function shutDown(steps: ShutdownSteps, limits: ShutdownLimits): Promise<boolean> {
  const ended = shutDownInOrder(steps, limits)
  await vi.advanceTimersByTimeAsync(60_000)
  return await ended
}

/** Steps that note what ran, with some of them changed. */
function noting(change: Partial<ShutdownSteps> = {}): { readonly steps: ShutdownSteps; readonly ran: string[] } {
  const ran: string[] = []
  const note = (name: string) => async () => void ran.push(name)
  const steps: ShutdownSteps = {
    announce: () => void ran.push('announce'),
    finishAnswers: note('answers'),
    cut: () => void ran.push('cut'),
    finishChanges: note('changes'),
    last: [
      ['journal', note('journal')],
      ['store', note('store')],
    ],
    tooLate: (step) => void ran.push(`${step} too late`),
    ...change,
  }
  return { steps, ran }
}

test('answers end before changes, changes before the journal’s head, and that before the store', async () => {
  const { steps, ran } = noting()
  expect(await shutDown(steps, LIMITS)).toBe(true)
  expect(ran).toEqual(['announce', 'answers', 'cut', 'changes', 'journal', 'store'])
})

test('a request that never ends is cut, and with no change under way that is the end', async () => {
  const { steps, ran } = noting({ finishAnswers: never })
  expect(await shutDown(steps, LIMITS)).toBe(true)
  expect(ran).toEqual(['announce', 'answers too late', 'cut', 'changes', 'journal', 'store'])
})

test('a change under way is waited for longer than a request', async () => {
  const { steps, ran } = noting({ finishAnswers: never, finishChanges: after(80) })
  expect(await shutDown(steps, LIMITS)).toBe(true)
  expect(ran).toEqual(['announce', 'answers too late', 'cut', 'journal', 'store'])
})

test('a change that does not end is told, and the journal’s head is printed all the same', async () => {
  const { steps, ran } = noting({ finishChanges: never })
  expect(await shutDown(steps, LIMITS)).toBe(false)
  expect(ran).toEqual(['announce', 'answers', 'cut', 'changes too late', 'journal', 'store'])
})

test('a store that is out keeps nobody from ending', async () => {
  const { steps, ran } = noting({
    last: [
      ['journal', never],
      ['store', () => Promise.reject(new Error('out'))],
    ],
  })
  expect(await shutDown(steps, LIMITS)).toBe(true)
  expect(ran.slice(-2)).toEqual(['journal too late', 'store too late'])
})
