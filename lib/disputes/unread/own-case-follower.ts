import 'server-only'
import type { CaseEvent } from '#lib/disputes/live/case-stream.ts'
import type { ThreadCase } from '#lib/disputes/thread/thread.ts'
import type { Schedule } from '#lib/live/schedule.ts'

/** What is assigned to the person is looked up so often. */
const LOOK_MS = 5_000
/** While somebody listens, who hears of assignments as well. */
const LISTENED_LOOK_MS = 60_000
/** A person who has no page of the console open any more is followed for so long. */
const KEPT_MS = 120_000

export interface FollowerOptions {
  /** Watches a case for the person until the answer is called; null when that is not possible any more. */
  readonly watch: (caseId: string, listener: (event: CaseEvent) => void) => (() => void) | null
  /** The ids of the person's own cases, or why there are none: it is known that they may not have any, or not known. */
  readonly ownCases: () => Promise<{ readonly ids: readonly string[]; readonly more: number } | 'refused' | 'not-known'>
  /** A case was read for the first time, or reads differently now. */
  readonly onCase: (found: ThreadCase) => void
  readonly onOver: () => void
  readonly schedule: Schedule
  readonly now: () => number
}

interface Followed {
  /** Null until the person could read it, and while they may not. */
  found: ThreadCase | null
  /** It has been read, or could not be. */
  answered: boolean
  stop: () => void
}

/** What is known of a person's own cases. */
export type Followings =
  | { readonly kind: 'refused' | 'not-known' }
  | {
      readonly kind: 'known'
      readonly cases: readonly { readonly id: string; readonly found: ThreadCase | null }[]
      readonly more: number
    }

/**
 * Follows the open cases of which one signed-in person is the assignee, also those that are open on no screen, over their
 * session's line to the hub. Ends by itself when nobody has asked for two minutes.
 */
export class OwnCaseFollower {
  readonly #options: FollowerOptions
  readonly #followed = new Map<string, Followed>()
  #state: 'known' | 'refused' | 'not-known' = 'not-known'
  #more = 0
  #askedAt: number
  #over = false
  #cancelNext: () => void = () => {}
  #looking = false
  /** Somebody wants another look, since the one under way began. */
  #again = false
  readonly #listeners = new Set<() => void>()
  #whenAnswered: () => void = () => {}

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#askedAt = options.now()
    void this.#look()
  }

  /** What is known now. Asking keeps it going. */
  ask(): Followings {
    this.#askedAt = this.#options.now()
    if (this.#state !== 'known') return { kind: this.#state }
    const cases = [...this.#followed].map(([id, { found }]) => ({ id, found }))
    return { kind: 'known', cases: cases.filter(({ found }) => found?.status !== 'RESOLVED'), more: this.#more }
  }

  /** Tells when what is known may have changed, and keeps it going meanwhile. Answers how to stop. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#askedAt = this.#options.now()
      this.#listeners.delete(listener)
      this.lookAgain()
    }
  }

  /** Looks up now what is assigned to the person. */
  lookAgain(): void {
    if (this.#over) return
    this.#again = this.#looking
    if (this.#looking) return
    this.#cancelNext()
    void this.#look()
  }

  /** Until each of the cases has been read, or could not be; at most so many milliseconds. */
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

  /** For good. */
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
    // The store or the service may be out: then the next look tells.
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

  /** What is followed goes on while it is not known whether the person may: that passes. */
  #lose(why: 'refused' | 'not-known'): void {
    this.#state = why
    if (why === 'refused') this.#unfollow(() => true)
  }

  #begin(id: string): void {
    const followed: Followed = { found: null, answered: false, stop: () => {} }
    this.#followed.set(id, followed)
    const stop = this.#options.watch(id, (event) => this.#hear(followed, event))
    if (stop === null) this.stop()
    // What it tells while it begins may have ended it.
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
      // The service shows it to this person no more.
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
