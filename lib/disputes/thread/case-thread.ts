import 'server-only'
import { mergeMessages, messageKey, type ThreadCase, type ThreadMessage } from './thread.ts'

/** Merges REST reads and hub events in any order, because pages shift while people post. REST wins. */
export class CaseThread {
  #case: ThreadCase | null = null
  #readOnly = false
  #messages: readonly ThreadMessage[] = []
  #totalCount: number | null = null
  #unreadable = 0
  /** Messages from REST. A message from the hub alone does not count towards {@link complete}. */
  readonly #confirmed = new Set<string>()

  get case(): ThreadCase | null {
    return this.#case
  }

  get readOnly(): boolean {
    return this.#readOnly
  }

  get messages(): readonly ThreadMessage[] {
    return this.#messages
  }

  get unreadable(): number {
    return this.#unreadable
  }

  get complete(): boolean {
    return this.#totalCount !== null && this.#confirmed.size + this.#unreadable >= this.#totalCount
  }

  readCase(found: ThreadCase): boolean {
    // The read began before the case was resolved.
    if (this.#readOnly && found.status !== 'RESOLVED') return false
    return this.#setCase(found)
  }

  /** From the hub. Returns whether it is new. */
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

  readMessages(found: readonly ThreadMessage[], totalCount: number): readonly ThreadMessage[] {
    this.#totalCount = totalCount
    const known = new Map(this.#messages.map((message) => [messageKey(message), JSON.stringify(message)]))
    for (const message of found) this.#confirmed.add(messageKey(message))
    return this.#merge(found.filter((message) => known.get(messageKey(message)) !== JSON.stringify(message)))
  }

  countUnreadable(unreadable: number): void {
    this.#unreadable = unreadable
  }

  /** From the hub. Returns the message if it is new. */
  post(message: ThreadMessage): readonly ThreadMessage[] {
    const known = this.#messages.some((other) => messageKey(other) === messageKey(message))
    return this.#merge(known ? [] : [message])
  }

  #merge(news: readonly ThreadMessage[]): readonly ThreadMessage[] {
    this.#messages = mergeMessages(this.#messages, news)
    return news
  }
}
