import 'server-only'
import { mergeMessages, messageKey, type ThreadCase, type ThreadMessage } from './thread.ts'

/**
 * What is known of one case and its thread, from readings by REST and news of the hub. The order in which they come does
 * not matter, nor how often: pages overlap and shift while others post, and the hub may be ahead of a page or behind it.
 * REST is the truth: what it gave outranks what the hub sent.
 */
export class CaseThread {
  #case: ThreadCase | null = null
  #readOnly = false
  #messages: readonly ThreadMessage[] = []
  #totalCount: number | null = null
  #unreadable = 0
  /** What REST gave. A message of the hub alone is shown, and counts for nothing. */
  readonly #confirmed = new Set<string>()

  get case(): ThreadCase | null {
    return this.#case
  }

  /** A resolved case takes no more messages, and none is ever opened again. */
  get readOnly(): boolean {
    return this.#readOnly
  }

  /** In order, each once. */
  get messages(): readonly ThreadMessage[] {
    return this.#messages
  }

  /** Messages that REST gives and that cannot be read. */
  get unreadable(): number {
    return this.#unreadable
  }

  /** Whether REST has given as many messages as it says there are. */
  get complete(): boolean {
    return this.#totalCount !== null && this.#confirmed.size + this.#unreadable >= this.#totalCount
  }

  /** Takes a case as REST gives it. Answers whether something is different now. */
  readCase(found: ThreadCase): boolean {
    // A reading that began before the case was resolved.
    if (this.#readOnly && found.status !== 'RESOLVED') return false
    return this.#setCase(found)
  }

  /** The hub says that the case is resolved, and how. Answers whether that is news. */
  resolve(resolved: ThreadCase): boolean {
    if (this.#readOnly) return false
    this.#setCase(resolved)
    this.#readOnly = true
    return true
  }

  #setCase(next: ThreadCase): boolean {
    const different = JSON.stringify(next) !== JSON.stringify(this.#case)
    this.#case = next
    this.#readOnly ||= next.status === 'RESOLVED'
    return different
  }

  /** Takes messages as REST gives them, with the number of all. Answers those that are new or different. */
  readMessages(found: readonly ThreadMessage[], totalCount: number): readonly ThreadMessage[] {
    this.#totalCount = totalCount
    const known = new Map(this.#messages.map((message) => [messageKey(message), JSON.stringify(message)]))
    for (const message of found) this.#confirmed.add(messageKey(message))
    return this.#merge(found.filter((message) => known.get(messageKey(message)) !== JSON.stringify(message)))
  }

  /** So many messages of the whole thread do not fit the contract. */
  countUnreadable(unreadable: number): void {
    this.#unreadable = unreadable
  }

  /** Takes a message that the hub sent. Answers it if it is new. */
  post(message: ThreadMessage): readonly ThreadMessage[] {
    const known = this.#messages.some((other) => messageKey(other) === messageKey(message))
    return this.#merge(known ? [] : [message])
  }

  #merge(news: readonly ThreadMessage[]): readonly ThreadMessage[] {
    this.#messages = mergeMessages(this.#messages, news)
    return news
  }
}
