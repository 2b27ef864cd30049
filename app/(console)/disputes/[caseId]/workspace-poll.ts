import { onSessionBack } from '#components/service/session-events.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { CaseWorkspace } from '#lib/disputes/workspace/workspace.ts'

/** What is known of a case's workspace: both may be there, when the latest reading failed and an earlier one did not. */
export interface SeenWorkspace {
  /** Null before the first answer. */
  readonly workspace: CaseWorkspace | null
  /** Why the latest reading failed; null when it did not. */
  readonly problem: Problem | null
}

export type WorkspaceReply =
  | { readonly ok: true; readonly workspace: CaseWorkspace }
  | { readonly ok: false; readonly problem: Problem }

const ASK_EVERY_MS = 5_000

export const NOTHING_SEEN: SeenWorkspace = { workspace: null, problem: null }

/** A refusal stays one: it is asked for again when the page is looked at again, when the session is back, or on demand. */
const isRefusal = ({ status }: Problem): boolean => status === 401 || status === 403 || status === 404

/**
 * Asks for one case's workspace every five seconds, once for all who listen, while somebody listens and the page can be seen.
 * `ask` answers null when the console itself did not.
 */
export class WorkspacePoll {
  readonly #ask: () => Promise<WorkspaceReply | null>
  readonly #listeners = new Set<() => void>()
  #seen = NOTHING_SEEN
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopHearing = () => {}
  /** Goes up with every question: only the latest one is heard. */
  #round = 0

  constructor(ask: () => Promise<WorkspaceReply | null>) {
    this.#ask = ask
  }

  get seen(): SeenWorkspace {
    return this.#seen
  }

  /** Answers how to stop. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) {
      document.addEventListener('visibilitychange', this.refresh)
      this.#stopHearing = onSessionBack(this.refresh)
      this.refresh()
    }
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      document.removeEventListener('visibilitychange', this.refresh)
      this.#stopHearing()
      this.#pause()
      // Another person may sign in and open the same case in this tab.
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
    this.#publish(reply ?? { ok: false, problem: problemOf('console-unreachable') })
    if (reply === null || reply.ok || !isRefusal(reply.problem)) this.#timer = setTimeout(this.refresh, ASK_EVERY_MS)
  }

  #publish(reply: WorkspaceReply): void {
    const workspace = reply.ok ? reply.workspace : this.#seen.workspace
    const seen = { workspace, problem: reply.ok ? null : reply.problem }
    // The same answer again changes nothing that is shown.
    if (JSON.stringify(seen) === JSON.stringify(this.#seen)) return
    this.#seen = seen
    for (const listener of this.#listeners) listener()
  }
}
