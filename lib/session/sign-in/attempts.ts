import 'server-only'
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { errorName, log } from '#lib/config/log.ts'
import { boundedCache, isFirstOf, perProcess, steadyNow } from '#lib/config/per-process.ts'
import { clientNetwork } from '#lib/http/client-network.ts'
import { type AuditedPerson, auditFailed, writeAudit } from '#lib/session/audit-trail.ts'
import { store } from '#lib/store/store.ts'
import type { Tables } from '#lib/store/tables.ts'
import { KeyedMutex } from '#lib/values/concurrency.ts'
import type { WhySignIn } from './paths.ts'

/** Failures in a row before a wait, which doubles up to five minutes. */
const FREE_FAILURES = { account: 3, address: 20 } as const
const FIRST_WAIT_MS = 5_000
const LONGEST_WAIT_MS = 300_000
const FORGOTTEN_AFTER_MS = 900_000
/** A flood must not fill it within the longest wait. */
const KEYS_MOST = 200_000
/** Each attempt costs the service a slow password hash. */
const AT_ONCE_MOST = 6
const KNOWN_AT_ONCE_MOST = 4
/** The last one in the queue waits about three seconds. */
const WAITING_MOST = 24
const WAIT_MS = 5_000
const TURNS_MOST = 8
const BUSY_SECONDS = 5
/** Minimum time of a refusal, so that timing does not show whether the account exists. */
const REFUSAL_MS = 800

interface Failures {
  readonly count: number
  readonly lastAt: number
  /** Of `steadyNow`. */
  readonly until: number
}

/** `wait`: this account or address. `busy`: everyone. */
export interface HeldOff {
  readonly ok: false
  readonly why: 'wait' | 'busy'
  readonly seconds: number
}

const BUSY: HeldOff = { ok: false, why: 'busy', seconds: BUSY_SECONDS }

const brake = () =>
  perProcess('sign-in brake', () => ({
    /** By account hash or address. */
    failures: boundedCache<Failures>(KEYS_MOST),
    turns: new KeyedMutex(),
    /** Running and waiting attempts by account hash. */
    turnsTaken: new Map<string, number>(),
    places: new Places(AT_ONCE_MOST),
    knownPlaces: new Places(KNOWN_AT_ONCE_MOST),
  }))

export interface SignInFrom {
  readonly account: string
  /** Null without a trusted proxy. */
  readonly address: string | null
  readonly isKnown: () => Promise<boolean>
}

/** `nothing`: the service did not answer. */
export type Verdict = 'failed' | 'passed' | 'nothing'

interface Key {
  readonly text: string
  readonly of: keyof typeof FREE_FAILURES
}

/** Slows password guessing, by account, by address and in total. Counts are per process. */
export async function withSignInRateLimit<Result>(
  from: SignInFrom,
  attempt: () => Promise<Result>,
  verdictOf: (result: Result) => Verdict,
): Promise<Result | HeldOff> {
  // Hashed to bound the key's length.
  const account: Key = { text: accountHash(from.account), of: 'account' }
  const { address } = from
  const keys: readonly Key[] = address === null ? [account] : [account, { text: clientNetwork(address), of: 'address' }]
  const { turns, turnsTaken } = brake()
  const taken = turnsTaken.get(account.text) ?? 0
  if (taken >= TURNS_MOST) return BUSY
  turnsTaken.set(account.text, taken + 1)
  try {
    // Serial, so that each of many parallel guesses counts.
    return await turns.run(account.text, () => tryInTurn({ keys, isKnown: from.isKnown, attempt, verdictOf }))
  } finally {
    const left = (turnsTaken.get(account.text) ?? 1) - 1
    if (left > 0) turnsTaken.set(account.text, left)
    else turnsTaken.delete(account.text)
  }
}

interface Trial<Result> {
  readonly keys: readonly Key[]
  readonly isKnown: () => Promise<boolean>
  readonly attempt: () => Promise<Result>
  readonly verdictOf: (result: Result) => Verdict
}

/** A known account may use a reserved place. Only a right password is answered from it (ADR 41). */
async function tryInTurn<Result>(trial: Trial<Result>): Promise<Result | HeldOff> {
  const { keys, verdictOf } = trial
  const startedAt = steadyNow()
  const held = heldOff(keys, startedAt)
  if (held !== null) return held
  const place = brake().places.take(WAIT_MS)
  let early: Result | null = null
  try {
    if (!place.isTaken) early = await tryKnown(trial)
    if (early !== null && verdictOf(early) === 'passed') return passed(keys, early)
    const grantedAt = await place.granted
    if (grantedAt !== null) return await tryOnce(trial, grantedAt, early)
    // Counts untried passwords too, so that the count does not show which accounts are known.
    countFailure(keys, 'account', startedAt)
    await passes(startedAt + REFUSAL_MS - steadyNow())
    return BUSY
  } finally {
    place.leave()
  }
}

async function tryKnown<Result>({ isKnown, attempt }: Trial<Result>): Promise<Result | null> {
  // First, so that unknown accounts take no place.
  if (!(await isKnown())) return null
  const place = brake().knownPlaces.take(0)
  try {
    return place.isTaken ? await attempt() : null
  } finally {
    place.leave()
  }
}

/** `early`: the result if the password was already tried. */
async function tryOnce<Result>(
  { keys, attempt, verdictOf }: Trial<Result>,
  startedAt: number,
  early: Result | null,
): Promise<Result | HeldOff> {
  const held = heldOff(keys, startedAt)
  if (held !== null) {
    if (early !== null) countFailure(keys, 'account', startedAt)
    return held
  }
  const result = early ?? (await attempt())
  const verdict = verdictOf(result)
  if (verdict === 'passed') return passed(keys, result)
  if (verdict === 'failed') {
    for (const { of } of keys) countFailure(keys, of, startedAt)
    await passes(startedAt + REFUSAL_MS - steadyNow())
  }
  return result
}

function heldOff(keys: readonly Key[], now: number): HeldOff | null {
  const waitMs = Math.max(...keys.map(({ text }) => (brake().failures.get(text)?.until ?? 0) - now))
  return waitMs > 0 ? { ok: false, why: 'wait', seconds: Math.ceil(waitMs / 1000) } : null
}

/** The address keeps its failures, which may come from guesses at other accounts. */
function passed<Result>(keys: readonly Key[], result: Result): Result {
  for (const { text, of } of keys) if (of === 'account') brake().failures.delete(text)
  return result
}

const passes = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, Math.max(0, ms)))

function countFailure(keys: readonly Key[], which: Key['of'], now: number): void {
  const { failures } = brake()
  for (const { text, of } of keys) {
    if (of !== which) continue
    const known = failures.get(text)
    const count = known === undefined || known.lastAt + FORGOTTEN_AFTER_MS < now ? 1 : known.count + 1
    const beyond = count - FREE_FAILURES[of]
    const waitMs = beyond < 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** beyond, LONGEST_WAIT_MS)
    failures.set(text, { count, lastAt: now, until: now + waitMs })
  }
}

interface Place {
  readonly isTaken: boolean
  /** Of `steadyNow`; null when the queue is full or the wait was too long. */
  readonly granted: Promise<number | null>
  leave(): void
}

class Places {
  #free: number
  readonly #waiting = new Set<(granted: boolean) => void>()

  constructor(most: number) {
    this.#free = most
  }

  take(waitMs: number): Place {
    if (this.#free > 0) {
      this.#free -= 1
      return { isTaken: true, granted: Promise.resolve(steadyNow()), leave: () => this.#giveOn() }
    }
    if (waitMs === 0 || this.#waiting.size >= WAITING_MOST) {
      return { isTaken: false, granted: Promise.resolve(null), leave: () => {} }
    }
    const { promise, resolve } = Promise.withResolvers<number | null>()
    let [has, left] = [false, false]
    const decide = (granted: boolean) => {
      clearTimeout(timer)
      this.#waiting.delete(decide)
      has = granted
      resolve(granted ? steadyNow() : null)
    }
    const timer = setTimeout(() => decide(false), waitMs)
    this.#waiting.add(decide)
    const leave = () => {
      if (left) return
      left = true
      if (has) this.#giveOn()
      else decide(false)
    }
    return { isTaken: false, granted: promise, leave }
  }

  #giveOn(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free += 1
    else next(true)
  }
}

/** Same retention as the audit trail. */
const KEPT_MS = 400 * 86_400_000
const REFUSALS_EVERY_MS = 60_000

type Person = Pick<AuditedPerson, 'actor' | 'displayName'>

export const accountHash = (account: string): string =>
  createHash('sha256').update(account.trim().toLowerCase()).digest('hex')

export async function findKnownPerson(db: Kysely<Tables>, account: string): Promise<Person | null> {
  const found = await db
    .selectFrom('known_account')
    .select(['actor', 'actor_name as displayName'])
    .where('account_hash', '=', accountHash(account))
    .where('last_at', '>', keptSince())
    .executeTakeFirst()
  return found ?? null
}

export async function saveKnownAccount(db: Kysely<Tables>, account: string, person: Person): Promise<void> {
  const row = { actor: person.actor, actor_name: person.displayName, last_at: new Date().toISOString() }
  await db
    .insertInto('known_account')
    .values({ account_hash: accountHash(account), ...row })
    .onConflict((conflict) => conflict.column('account_hash').doUpdateSet(row))
    .execute()
  await db.deleteFrom('known_account').where('last_at', '<=', keptSince()).execute()
}

const keptSince = (): string => new Date(Date.now() - KEPT_MS).toISOString()

/** Never throws. */
export async function recordSignedInAccount(account: string, person: Person): Promise<void> {
  try {
    await saveKnownAccount(await store(), account, person)
  } catch (error) {
    log().warn({ event: 'known-account', error: errorName(error) })
  }
}

/** Also false when the store does not answer. */
export async function isKnownAccount(account: string): Promise<boolean> {
  try {
    return (await findKnownPerson(await store(), account)) !== null
  } catch {
    return false
  }
}

/** The identity provider authenticated the person. Never throws. */
export async function auditRefused(by: AuditedPerson, why: WhySignIn): Promise<void> {
  if (!isFirstOf('refused sign-ins', `${by.actor} ${by.method} ${why}`, REFUSALS_EVERY_MS)) return
  await writeAudit({ by, kind: 'session.refused', facts: { why } })
}

/** Never stores the typed account, which may be a password. Never throws. */
export async function auditRefusedPassword(account: string, why: WhySignIn): Promise<void> {
  try {
    const person = await findKnownPerson(await store(), account)
    if (person !== null)
      await writeAudit({ by: { ...person, method: 'password' }, kind: 'session.refused', facts: { why } })
  } catch (error) {
    auditFailed('session.refused', error)
  }
}
