import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { type Verdict, withBrake } from './sign-in-brake.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] })
  putPerProcess('sign-in brake', undefined)
})
afterEach(() => vi.useRealTimers())

const later = (ms: number) => vi.setSystemTime(Date.now() + ms)
let asked = 0

/** One attempt that comes to this; the time of a refusal passes by itself. */
async function attempt(verdict: Verdict, account = 'a@example.com', address: string | null = null) {
  asked = 0
  const trying = withBrake(
    { account, address },
    async () => {
      asked += 1
      return { ok: verdict === 'passed' }
    },
    () => verdict,
  )
  await vi.advanceTimersByTimeAsync(1_000)
  return await trying
}
const failures = async (count: number, account?: string, address?: string) => {
  for (let n = 0; n < count; n += 1) await attempt('failed', account, address)
}

describe('an account', () => {
  test('is held off after three failures, twice as long after each further one, five minutes at most', async () => {
    await failures(3)
    for (const seconds of [4, 9, 19, 39, 79, 159, 299, 299]) {
      expect(await attempt('passed')).toEqual({ ok: false, why: 'wait', seconds })
      expect(asked).toBe(0)
      later(seconds * 1000)
      await attempt('failed')
    }
  })

  test('is the same one however it is written, and others are not held off', async () => {
    await failures(3, 'A@Example.com ')
    expect(await attempt('passed', 'a@example.com')).toMatchObject({ why: 'wait' })
    expect(await attempt('passed', 'b@example.com')).toEqual({ ok: true })
  })

  test('is clear after the right password, and after a quarter of an hour', async () => {
    await failures(2)
    await attempt('passed')
    await failures(2)
    expect(await attempt('failed')).toEqual({ ok: false })
    later(901_000)
    await failures(2)
    expect(await attempt('passed')).toEqual({ ok: true })
  })

  test('an attempt that the service did not answer counts for nothing', async () => {
    for (let n = 0; n < 10; n += 1) expect(await attempt('nothing')).toEqual({ ok: false })
    expect(await attempt('passed')).toEqual({ ok: true })
  })

  test('guesses at the same moment are all counted', async () => {
    const guess = vi.fn(async () => ({ ok: false }))
    const from = { account: 'a@example.com', address: null }
    const guesses = Promise.all(Array.from({ length: 8 }, () => withBrake(from, guess, () => 'failed')))
    await vi.advanceTimersByTimeAsync(3_000)
    expect((await guesses).filter((result) => 'why' in result)).toHaveLength(5)
    expect(guess).toHaveBeenCalledTimes(3)
  })
})

test('the right password of one account at the same moment lets all in', async () => {
  const from = { account: 'a@example.com', address: null }
  const right = () =>
    withBrake(
      from,
      async () => ({ ok: true }),
      () => 'passed',
    )
  expect(await Promise.all(Array.from({ length: 8 }, right))).toEqual(Array(8).fill({ ok: true }))
})

test('an address is held off after twenty failures of whatever accounts; the right password of one changes nothing', async () => {
  for (let n = 0; n < 19; n += 1) await attempt('failed', `${n}@example.com`, '10.0.0.1')
  await attempt('passed', 'own@example.com', '10.0.0.1')
  await attempt('failed', '19@example.com', '10.0.0.1')
  expect(await attempt('passed', 'own@example.com', '10.0.0.1')).toMatchObject({ why: 'wait' })
  expect(await attempt('passed', 'own@example.com', '10.0.0.2')).toEqual({ ok: true })
})

test('eight are tried at once, whoever they are', async () => {
  let open = () => {}
  const gate = new Promise<void>((done) => {
    open = done
  })
  const tries = Array.from({ length: 9 }, (_, n) =>
    withBrake(
      { account: `${n}@example.com`, address: null },
      () => gate.then(() => ({ ok: true })),
      () => 'passed',
    ),
  )
  expect(await tries[8]).toEqual({ ok: false, why: 'wait', seconds: 5 })
  open()
  expect(await Promise.all(tries.slice(0, 8))).toEqual(Array(8).fill({ ok: true }))
  expect(await attempt('passed', '9@example.com')).toEqual({ ok: true })
})

test('a failure takes as long whether its answer came at once or not', async () => {
  const durations: number[] = []
  for (const takes of [0, 300]) {
    const begun = Date.now()
    const trying = withBrake(
      { account: `${takes}@example.com`, address: null },
      () => new Promise((done) => setTimeout(() => done({ ok: false }), takes)),
      () => 'failed' as const,
    ).then(() => durations.push(Date.now() - begun))
    await vi.advanceTimersByTimeAsync(2_000)
    await trying
  }
  expect(durations).toEqual([800, 800])
})
