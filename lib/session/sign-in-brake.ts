import 'server-only'

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
  readonly failures: Map<string, Failures>
  running: number
}

/** Held off without asking the service. */
export interface HeldOff {
  readonly ok: false
  readonly why: 'wait'
  readonly seconds: number
}

const shared = globalThis as typeof globalThis & { consoleSignInBrake?: Brake }

const brake = (): Brake => {
  shared.consoleSignInBrake ??= { failures: new Map(), running: 0 }
  return shared.consoleSignInBrake
}

/** Where a sign-in comes from; the address is null where nobody trustworthy says it. */
export interface SignInFrom {
  readonly account: string
  readonly address: string | null
}

/** What an attempt says about whoever makes it; nothing when the service gave no answer. */
export type Told = 'failed' | 'passed' | 'nothing'

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
  toldBy: (result: Result) => Told,
): Promise<Result | HeldOff> {
  const keys: Key[] = [{ text: `account ${from.account.trim().toLowerCase()}`, of: 'account' }]
  if (from.address !== null) keys.push({ text: `address ${from.address}`, of: 'address' })
  const startedAt = Date.now()
  const waitMs = Math.max(...keys.map(({ text }) => (brake().failures.get(text)?.until ?? 0) - startedAt))
  if (waitMs > 0) return { ok: false, why: 'wait', seconds: Math.ceil(waitMs / 1000) }
  if (brake().running >= AT_ONCE_MOST) return { ok: false, why: 'wait', seconds: BUSY_SECONDS }
  // Counted before it is known, so that guesses at the same moment are all counted.
  for (const key of keys) countFailure(key, startedAt)
  brake().running += 1
  let told: Told = 'nothing'
  try {
    const result = await attempt()
    told = toldBy(result)
    if (told === 'failed') await passes(startedAt + REFUSAL_MS - Date.now())
    return result
  } finally {
    brake().running -= 1
    if (told !== 'failed') for (const key of keys) takeBack(key, told)
  }
}

const passes = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, Math.max(0, ms)))

function countFailure({ text, of }: Key, now: number): void {
  const { failures } = brake()
  const known = failures.get(text)
  const count = known === undefined || known.lastAt + FORGOTTEN_AFTER_MS < now ? 1 : known.count + 1
  const beyond = count - FREE_FAILURES[of]
  const waitMs = beyond < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** beyond, LONGEST_WAIT_MS)
  // Last in the order of those that are forgotten.
  failures.delete(text)
  failures.set(text, { count, lastAt: now, until: now + waitMs })
  const [oldest] = failures.keys()
  if (failures.size > KEYS_MOST && oldest !== undefined) failures.delete(oldest)
}

/** What was counted too early. One's own right password clears one's account, and nobody else's failures. */
function takeBack({ text, of }: Key, told: Told): void {
  const { failures } = brake()
  const known = failures.get(text)
  if (known === undefined) return
  const count = told === 'passed' && of === 'account' ? 0 : known.count - 1
  if (count <= 0) failures.delete(text)
  else failures.set(text, { ...known, count, until: count < FREE_FAILURES[of] ? 0 : known.until })
}
