import { askAgain, followTopic } from '#components/news/news.ts'
import type { Problem } from '#lib/contract/problem.ts'
import type { CaseWorkspace } from '#lib/disputes/workspace/workspace.ts'

/** What is known of a case's workspace: both may be there, when the latest reading failed and an earlier one did not. */
export interface SeenWorkspace {
  /** Null before the first answer. */
  readonly workspace: CaseWorkspace | null
  /** Why the latest reading failed; null when it did not. */
  readonly problem: Problem | null
}

export const NOTHING_SEEN: SeenWorkspace = { workspace: null, problem: null }

/** Follows one case's workspace, once for all who listen, while somebody listens and the page can be seen. */
export class WorkspaceWatch {
  readonly #topic: string
  readonly #listeners = new Set<() => void>()
  #seen = NOTHING_SEEN
  #stop = () => {}

  constructor(caseId: string) {
    this.#topic = `workspace ${caseId}`
  }

  get seen(): SeenWorkspace {
    return this.#seen
  }

  /** Answers how to stop. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) this.#stop = this.#follow()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#stop()
      // Another person may sign in and open the same case in this tab.
      this.#seen = NOTHING_SEEN
    }
  }

  /** Asks at once. */
  readonly refresh = (): void => askAgain(this.#topic)

  #follow(): () => void {
    const how = { atOnce: true }
    return followTopic<CaseWorkspace>(
      this.#topic,
      (told) => {
        this.#seen = told.ok
          ? { workspace: told.value, problem: null }
          : { workspace: this.#seen.workspace, problem: told.problem }
        for (const listener of this.#listeners) listener()
      },
      how,
    )
  }
}
