import 'server-only'
import type { CaseEvent } from '#lib/disputes/live/case-stream.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Schedule } from '#lib/stream/schedule.ts'

const LOOK_MS = 5_000
/** Listeners also learn of assignments from news. */
const LISTENED_LOOK_MS = 60_000
const KEPT_MS = 120_000

export interface FollowerOptions {
  /** Returns how to stop; null if the session is over. */
  readonly watch: (caseId: string, listener: (event: CaseEvent) => void) => (() => void) | null
  readonly ownCases: () => Promise<{ readonly ids: readonly string[]; readonly more: number } | 'refused' | 'not-known'>
  readonly onCase: (found: ThreadCase) => void
  readonly onOver: () => void
  readonly schedule: Schedule
  readonly now: () => number
}

interface Followed {
  /** Null before the first read, or if the person may not read it. */
  found: ThreadCase | null
  answered: boolean
  stop: () => void
}

export type Followings =
  | { readonly kind: 'refused' | 'not-known' }
  | {
      readonly kind: 'known'
      readonly cases: readonly { readonly id: string; readonly found: ThreadCase | null }[]
      readonly more: number
    }

/** Follows one person's open cases. Ends two minutes after the last request. */
export class OwnCaseFollower {
  readonly #options: FollowerOptions
  readonly #followed = new Map<string, Followed>()
  #state: 'known' | 'refused' | 'not-known' = 'not-known'
  #more = 0
  #askedAt: number
  #over = false
  #cancelNext: () => void = () => {}
  #looking = false
  #again = false
  readonly #listeners = new Set<() => void>()
  #whenAnswered: () => void = () => {}

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#askedAt = options.now()
    void this.#look()
  }

  ask(): Followings {
    this.#askedAt = this.#options.now()
    if (this.#state !== 'known') return { kind: this.#state }
    const cases = [...this.#followed].map(([id, { found }]) => ({ id, found }))
    return { kind: 'known', cases: cases.filter(({ found }) => found?.status !== 'RESOLVED'), more: this.#more }
  }

  /** Keeps it running. Returns how to stop. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#askedAt = this.#options.now()
      this.#listeners.delete(listener)
      this.lookAgain()
    }
  }

  lookAgain(): void {
    if (this.#over) return
    this.#again = this.#looking
    if (this.#looking) return
    this.#cancelNext()
    void this.#look()
  }

  /** Resolves once every case was read or found unreadable, or after `withinMs`. */
  settled(withinMs: number): Promise<void> {
    return new Promise((done) => {
      const cancel = this.#options.schedule(withinMs, done)
      const before = this.#whenAnswered
      this.#whenAnswered = () => {
        before()
        cancel()
        done()
      }
      this.#tellIfAnswered()
    })
  }

  stop(): void {
    if (this.#over) return
    this.#over = true
    this.#cancelNext()
    this.#unfollow(() => true)
    this.#options.onOver()
  }

  async #look(): Promise<void> {
    const { now, ownCases, schedule } = this.#options
    if (this.#listeners.size === 0 && now() - this.#askedAt > KEPT_MS) return this.stop()
    this.#looking = true
    // The next look retries after a failure.
    const own = await ownCases().catch(() => 'not-known' as const)
    this.#looking = false
    if (this.#over) return
    if (typeof own === 'object') this.#follow(own.ids, own.more)
    else this.#lose(own)
    this.#tellIfAnswered()
    this.#tellListeners()
    if (this.#over) return
    if (this.#again) return this.lookAgain()
    const known = own !== 'not-known' && this.#listeners.size > 0
    this.#cancelNext = schedule(known ? LISTENED_LOOK_MS : LOOK_MS, () => void this.#look())
  }

  #follow(ids: readonly string[], more: number): void {
    this.#state = 'known'
    this.#more = more
    const wanted = new Set(ids.map((id) => id.toLowerCase()))
    this.#unfollow((id) => !wanted.has(id))
    for (const id of wanted) if (!this.#over && !this.#followed.has(id)) this.#begin(id)
  }

  /** While the person's scopes are unknown, it keeps following. */
  #lose(why: 'refused' | 'not-known'): void {
    this.#state = why
    if (why === 'refused') this.#unfollow(() => true)
  }

  #begin(id: string): void {
    const followed: Followed = { found: null, answered: false, stop: () => {} }
    this.#followed.set(id, followed)
    const stop = this.#options.watch(id, (event) => this.#hear(followed, event))
    if (stop === null) this.stop()
    else if (this.#followed.get(id) !== followed) stop()
    else followed.stop = stop
  }

  #hear(followed: Followed, event: CaseEvent): void {
    if (event.type === 'snapshot' || event.type === 'case') {
      followed.found = event.case
      followed.answered = true
      this.#options.onCase(event.case)
    } else if (event.type === 'status' && event.status.problem !== null) {
      const { status } = event.status.problem
      if (status === 403 || status === 404) followed.found = null
      followed.answered = true
    }
    this.#tellIfAnswered()
    this.#tellListeners()
  }

  #tellListeners(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  #unfollow(which: (id: string) => boolean): void {
    for (const [id, { stop }] of [...this.#followed]) {
      if (!which(id)) continue
      this.#followed.delete(id)
      stop()
    }
  }

  #tellIfAnswered(): void {
    const waiting = this.#state === 'not-known' || [...this.#followed.values()].some(({ answered }) => !answered)
    if (waiting) return
    const tell = this.#whenAnswered
    this.#whenAnswered = () => {}
    tell()
  }
}
