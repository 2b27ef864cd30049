import 'server-only'
import { type BoundedCache, boundedCache } from '#lib/config/cache.ts'
import { perProcess } from '#lib/config/per-process.ts'
import { KeyedMutex } from '#lib/values/keyed-mutex.ts'

/** How often a key may fail in a row, and how long it waits afterwards: doubling, up to five minutes. */
const FREE_FAILURES = { account: 3, address: 20 } as const
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 300_000
const FORGOTTEN_AFTER_MS = 900_000
/** More than a console has people and their mistakes; the longest untouched go first. */
const KEYS_MOST = 10_000
/** Each makes the service derive a key from a password, which is meant to be slow. */
const AT_ONCE_MOST = 8
const BUSY_SECONDS = 5
/** A refusal takes at least so long, whether or not there is such an account. */
const REFUSAL_MS = 800

interface Failures {
  readonly count: number
  readonly lastAt: number
  /** Nothing is tried before. */
  readonly until: number
}

interface Brake {
  /** By account or address. */
  readonly failures: BoundedCache<Failures>
  /** By account. */
  readonly turns: KeyedMutex
  atOnce: number
}

/** Held off without asking the service. */
export interface HeldOff {
  readonly ok: false
  readonly why: 'wait'
  readonly seconds: number
}

const brake = (): Brake =>
  perProcess('sign-in brake', () => ({ failures: boundedCache(KEYS_MOST), turns: new KeyedMutex(), atOnce: 0 }))

/** Where a sign-in comes from; the address is null where nobody trustworthy says it. */
export interface SignInFrom {
  readonly account: string
  readonly address: string | null
}

/** What came of an attempt; `nothing` when the service gave no answer. */
export type Verdict = 'failed' | 'passed' | 'nothing'

interface Key {
  readonly text: string
  readonly of: keyof typeof FREE_FAILURES
}

/**
 * Tries a password unless its account or address failed too often just now, or too many try at once. It counts in this
 * process, and the same for accounts that do not exist.
 */
export async function withBrake<Result>(
  from: SignInFrom,
  attempt: () => Promise<Result>,
  verdictOf: (result: Result) => Verdict,
): Promise<Result | HeldOff> {
  const account: Key = { text: `account ${from.account.trim().toLowerCase()}`, of: 'account' }
  const keys: readonly Key[] =
    from.address === null ? [account] : [account, { text: `address ${from.address}`, of: 'address' }]
  if (brake().atOnce >= AT_ONCE_MOST) return { ok: false, why: 'wait', seconds: BUSY_SECONDS }
  brake().atOnce += 1
  try {
    // One after another, so that each guess of many at the same moment counts for the next.
    return await brake().turns.run(account.text, () => tryOnce(keys, attempt, verdictOf))
  } finally {
    brake().atOnce -= 1
  }
}

async function tryOnce<Result>(
  keys: readonly Key[],
  attempt: () => Promise<Result>,
  verdictOf: (result: Result) => Verdict,
): Promise<Result | HeldOff> {
  const startedAt = Date.now()
  const waitMs = Math.max(...keys.map(({ text }) => (brake().failures.get(text)?.until ?? 0) - startedAt))
  if (waitMs > 0) return { ok: false, why: 'wait', seconds: Math.ceil(waitMs / 1000) }
  const result = await attempt()
  const verdict = verdictOf(result)
  // One's own right password clears one's account, and nobody else's failures.
  if (verdict === 'passed') for (const { text, of } of keys) if (of === 'account') brake().failures.delete(text)
  if (verdict === 'failed') {
    for (const key of keys) countFailure(key, startedAt)
    await passes(startedAt + REFUSAL_MS - Date.now())
  }
  return result
}

const passes = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, Math.max(0, ms)))

function countFailure({ text, of }: Key, now: number): void {
  const { failures } = brake()
  const known = failures.get(text)
  const count = known === undefined || known.lastAt + FORGOTTEN_AFTER_MS < now ? 1 : known.count + 1
  const beyond = count - FREE_FAILURES[of]
  const waitMs = beyond < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** beyond, LONGEST_WAIT_MS)
  failures.set(text, { count, lastAt: now, until: now + waitMs })
}
