import type { CaseWorkspace } from '#lib/disputes/workspace/workspace.ts'
import type { StreamEvent } from '#lib/stream/stream-event.ts'
import type { Changes } from './live-changes.ts'
import { caseOf, type Tab } from './live-tabs.ts'

/** What idle tabs hear, and what they ask for. */
export class LiveWatch {
  readonly #changes: Changes
  /** Milliseconds from the commit of a claim until a tab that shows the case was told. */
  readonly claims: number[] = []
  /** Milliseconds from the end of a session until its tab was told. */
  readonly ends: number[] = []
  /** Actors whose sessions are to end. */
  readonly leaving: string[] = []
  /** When they did. */
  readonly ended = new Map<string, number>()
  requests = 0
  events = 0

  constructor(changes: Changes) {
    this.#changes = changes
  }

  /** Takes the events of one tab. */
  listener(tab: Tab): (event: StreamEvent) => void {
    let [actor, holder] = ['', '']
    return (event) => {
      this.events += 1
      if (event.type === 'open') {
        actor = event.actor
        if (tab.leaves) this.leaving.push(actor)
      } else if (event.type === 'closed') {
        const at = this.ended.get(actor)
        if (at !== undefined) this.ends.push(performance.now() - at)
      } else if (event.type === 'topic') {
        holder = this.#topic(tab, event, holder)
      }
    }
  }

  /** Answers who has the case that the tab shows. */
  #topic(tab: Tab, { topic, result }: Extract<StreamEvent, { type: 'topic' }>, before: string): string {
    // As the page does: it alone knows which rows it shows.
    if (topic === 'queue') void this.#askQueue(tab)
    const caseId = caseOf(tab)
    if (caseId === null || topic !== `workspace ${caseId}` || !result.ok) return before
    const holder = (result.value as CaseWorkspace).claim?.holder ?? ''
    const claim = this.#changes.claims.get(caseId)
    if (holder !== before && holder === claim?.holder) this.claims.push(performance.now() - claim.at)
    return holder
  }

  async #askQueue({ operator }: Tab): Promise<void> {
    this.requests += 1
    await operator.ask('/api/disputes/queue?arrival=0&shown=').catch(() => '')
  }
}
