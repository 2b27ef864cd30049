import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { CaseDesk } from '#lib/domain/case-desk.ts'

/** What is known of a case's desk: both may be there, when the latest reading failed and an earlier one did not. */
export interface SeenDesk {
  /** Null before the first answer. */
  readonly desk: CaseDesk | null
  /** Why the latest reading failed; null when it did not. */
  readonly problem: Problem | null
}

export type DeskReply =
  | { readonly ok: true; readonly desk: CaseDesk }
  | { readonly ok: false; readonly problem: Problem }

const ASK_EVERY_MS = 5_000

export const NOTHING_SEEN: SeenDesk = { desk: null, problem: null }

/** A refusal stays one: it is asked for again when the page is looked at again, or on demand. */
const isRefusal = ({ status }: Problem): boolean => status === 401 || status === 403 || status === 404

/**
 * Asks for one case's desk every five seconds, once for all who listen, while somebody listens and the page can be seen.
 * `ask` answers null when the console itself did not.
 */
export class DeskPoll {
  readonly #ask: () => Promise<DeskReply | null>
  readonly #listeners = new Set<() => void>()
  #seen = NOTHING_SEEN
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Goes up with every question: only the latest one is heard. */
  #round = 0

  constructor(ask: () => Promise<DeskReply | null>) {
    this.#ask = ask
  }

  get seen(): SeenDesk {
    return this.#seen
  }

  /** Answers how to stop. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) {
      document.addEventListener('visibilitychange', this.refresh)
      this.refresh()
    }
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      document.removeEventListener('visibilitychange', this.refresh)
      this.#pause()
      // A desk is shared: whoever opens the case next in this tab may be somebody else.
      this.#seen = NOTHING_SEEN
    }
  }

  /** Asks at once. */
  readonly refresh = (): void => {
    this.#pause()
    if (this.#listeners.size > 0 && document.visibilityState === 'visible') void this.#read()
  }

  #pause(): void {
    clearTimeout(this.#timer)
    this.#round += 1
  }

  async #read(): Promise<void> {
    const round = this.#round
    const reply = await this.#ask()
    if (round !== this.#round) return
    this.#tell(reply ?? { ok: false, problem: problemOf('unreachable') })
    if (reply === null || reply.ok || !isRefusal(reply.problem)) this.#timer = setTimeout(this.refresh, ASK_EVERY_MS)
  }

  #tell(reply: DeskReply): void {
    const desk = reply.ok ? reply.desk : this.#seen.desk
    const seen = { desk, problem: reply.ok ? null : reply.problem }
    // The same answer again changes nothing that is shown.
    if (JSON.stringify(seen) === JSON.stringify(this.#seen)) return
    this.#seen = seen
    for (const listener of this.#listeners) listener()
  }
}
