import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { type Verdict, withSignInRateLimit } from './attempts.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] })
  putPerProcess('sign-in brake', undefined)
})
afterEach(() => vi.useRealTimers())

const later = (ms: number) => vi.setSystemTime(Date.now() + ms)
let requests = 0

/** One attempt that comes to this; the time of a refusal passes by itself. */
async function attempt(verdict: Verdict, account = 'a@example.com', address: string | null = null) {
  requests = 0
  const trying = withSignInRateLimit(
    { account, address, isKnown: async () => false },
    async () => {
      requests += 1
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
      expect(requests).toBe(0)
      later(seconds * 1000)
      await attempt('failed')
    }
  })

  test('is held off no longer because the clock was set back', async () => {
    await failures(3)
    later(-3_600_000)
    expect(await attempt('passed')).toMatchObject({ why: 'wait' })
    later(5_000)
    expect(await attempt('passed')).toEqual({ ok: true })
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
    const from = { account: 'a@example.com', address: null, isKnown: async () => false }
    const guesses = Promise.all(Array.from({ length: 8 }, () => withSignInRateLimit(from, guess, () => 'failed')))
    await vi.advanceTimersByTimeAsync(3_000)
    expect((await guesses).filter((result) => 'why' in result)).toHaveLength(5)
    expect(guess).toHaveBeenCalledTimes(3)
  })
})

test('the right password of one account at the same moment lets all in', async () => {
  const from = { account: 'a@example.com', address: null, isKnown: async () => false }
  const right = () =>
    withSignInRateLimit(
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

test('holds an IPv6 network off as one address', async () => {
  for (let n = 0; n < 20; n += 1) await attempt('failed', `${n}@example.com`, `2001:db8:0:1::${n}`)
  expect(await attempt('passed', 'own@example.com', '2001:db8:0:1:a:b:c:d')).toMatchObject({ why: 'wait' })
  expect(await attempt('passed', 'own@example.com', '2001:db8:0:2::1')).toEqual({ ok: true })
})

test('a failure takes as long whether its answer came at once or not', async () => {
  const durations: number[] = []
  for (const takes of [0, 300]) {
    const begun = Date.now()
    const trying = withSignInRateLimit(
      { account: `${takes}@example.com`, address: null, isKnown: async () => false },
      () => new Promise((done) => setTimeout(() => done({ ok: false }), takes)),
      () => 'failed' as const,
    ).then(() => durations.push(Date.now() - begun))
    await vi.advanceTimersByTimeAsync(2_000)
    await trying
  }
  expect(durations).toEqual([800, 800])
})

/** The service answers after a moment, as one does that derives a key from a password. */
const ANSWER_MS = 200
const ROUND_TRIP_MS = 10
const LOOK_UP_MS = 5
const answersLater = <Result>(result: Result): Promise<Result> =>
  new Promise((done) => setTimeout(() => done(result), ANSWER_MS))

/** So many attackers try one random account after another, without a pause, until they are told to stop. */
function attackers(count: number) {
  let [running, sent] = [true, 0]
  const loop = async (attacker: number): Promise<void> => {
    for (let n = 0; running; n += 1) {
      sent += 1
      await new Promise((done) => setTimeout(done, ROUND_TRIP_MS))
      const from = { account: `${attacker}-${n}@random.example`, address: null, isKnown: async () => false }
      await withSignInRateLimit(
        from,
        () => answersLater({ ok: false }),
        () => 'failed',
      )
    }
  }
  const loops = Promise.all(Array.from({ length: count }, (_, at) => loop(at)))
  return {
    get sent() {
      return sent
    },
    async stop() {
      running = false
      await vi.advanceTimersByTimeAsync(20_000)
      await loops
    },
  }
}

const person = (account: string, isKnown: boolean) => ({ account, address: null, isKnown: async () => isKnown })

/** One attempt with a right or a wrong password, and after how many milliseconds it was answered. */
async function timed(from: Parameters<typeof withSignInRateLimit>[0], ok: boolean) {
  const begun = Date.now()
  const trying = withSignInRateLimit(
    from,
    () => answersLater({ ok }),
    (result) => (result.ok ? 'passed' : 'failed'),
  ).then((result) => ({ result, ms: Date.now() - begun }))
  await vi.advanceTimersByTimeAsync(10_000)
  return await trying
}

describe('while others try', () => {
  /** Attempts that the service answers when it is told to. */
  function held(count: number, prefix = 'held') {
    const answers: (() => void)[] = []
    const tries = Array.from({ length: count }, (_, n) =>
      withSignInRateLimit(
        person(`${prefix}-${n}@example.com`, false),
        () => new Promise<{ ok: boolean }>((done) => answers.push(() => done({ ok: true }))),
        () => 'passed',
      ),
    )
    return { answers, tries }
  }

  test('tries six at once and lets the next ones wait', async () => {
    const { answers, tries } = held(8)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(answers).toHaveLength(6)
    answers[0]?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(answers).toHaveLength(7)
    for (let n = 1; n < 8; n += 1) {
      answers[n]?.()
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(await Promise.all(tries)).toEqual(Array(8).fill({ ok: true }))
  })

  test('lets an attempt wait five seconds, in a short queue', async () => {
    const { answers, tries } = held(30)
    const busy = { ok: false, why: 'busy', seconds: 5 }
    expect(await timed(person('one-more@example.com', false), true)).toEqual({ result: busy, ms: 800 })
    for (const answer of answers) answer()
    const results = await Promise.all(tries)
    expect(results.filter((result) => 'why' in result)).toEqual(Array(24).fill(busy))
  })

  test('keeps the reserved places for known accounts, however many others ask', async () => {
    const { answers, tries } = held(30)
    const lookedUp = (account: string, isKnown: boolean) => ({
      ...person(account, isKnown),
      isKnown: () => new Promise<boolean>((done) => setTimeout(() => done(isKnown), LOOK_UP_MS)),
    })
    const others = Array.from({ length: 20 }, (_, n) => timed(lookedUp(`${n}@random.example`, false), false))
    expect(await timed(lookedUp('staff@example.com', true), true)).toMatchObject({ result: { ok: true } })
    for (const answer of answers) answer()
    await Promise.all([...tries, ...others])
  })

  test('lets eight attempts of one account wait', async () => {
    const from = person('a@example.com', false)
    const tries = Array.from({ length: 9 }, () =>
      withSignInRateLimit(
        from,
        () => answersLater({ ok: true }),
        () => 'passed',
      ),
    )
    expect(await tries[8]).toMatchObject({ why: 'busy' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await Promise.all(tries.slice(0, 8))).toEqual(Array(8).fill({ ok: true }))
  })
})

describe('while many try random accounts', () => {
  test.each([12, 100])('signs a known account in, beside %i attackers', async (count) => {
    const attack = attackers(count)
    await vi.advanceTimersByTimeAsync(5_000)
    for (let n = 0; n < 10; n += 1) {
      const from = person(`staff-${n}@example.com`, true)
      expect(await timed(from, true)).toEqual({ result: { ok: true }, ms: ANSWER_MS })
    }
    await attack.stop()
  })

  test.each([7, 12, 100])('tells no known account by a wrong password, beside %i', async (count) => {
    const seen: unknown[] = []
    for (const isKnown of [true, false]) {
      putPerProcess('sign-in brake', undefined)
      const attack = attackers(count)
      await vi.advanceTimersByTimeAsync(5_000)
      const answers: unknown[] = []
      for (let n = 0; n < 5; n += 1) answers.push(await timed(person('staff@example.com', isKnown), false))
      await attack.stop()
      // Without an attack the same is known of the account.
      answers.push(await timed(person('staff@example.com', isKnown), false))
      seen.push(answers)
    }
    expect(seen[0]).toEqual(seen[1])
  })

  test('lets guesses for known accounts keep no other out', async () => {
    const attack = attackers(100)
    const guesses = Array.from({ length: 12 }, async (_, account) => {
      for (let n = 0; n < 20; n += 1) {
        await withSignInRateLimit(
          person(`guessed-${account}@example.com`, true),
          () => answersLater({ ok: false }),
          () => 'failed',
        )
        await new Promise((done) => setTimeout(done, ROUND_TRIP_MS))
      }
    })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await timed(person('staff@example.com', true), true)).toEqual({ result: { ok: true }, ms: ANSWER_MS })
    await attack.stop()
    await Promise.all(guesses)
  })

  test('bounds guesses for a known account like others', async () => {
    const attack = attackers(100)
    await vi.advanceTimersByTimeAsync(5_000)
    const requests = vi.fn(() => answersLater({ ok: false }))
    for (let n = 0; n < 20; n += 1) {
      const guess = withSignInRateLimit(person('staff@example.com', true), requests, () => 'failed')
      await vi.advanceTimersByTimeAsync(1_000)
      await guess
    }
    // Three, then one after 5, 10 and 20 seconds.
    expect(requests.mock.calls.length).toBeLessThanOrEqual(5)
    await attack.stop()
  })

  test('forgets no account that is held off, after 20,000 others', async () => {
    await failures(3)
    for (const seconds of [5, 10, 20]) {
      later(seconds * 1000)
      await attempt('failed')
    }
    const others = Array.from({ length: 20_000 }, (_, n) =>
      withSignInRateLimit(
        person(`${n}@random.example`, false),
        () => answersLater({ ok: false }),
        () => 'failed',
      ),
    )
    await vi.advanceTimersByTimeAsync(8_000)
    await Promise.all(others)
    expect(await attempt('passed')).toMatchObject({ why: 'wait' })
  })
})
