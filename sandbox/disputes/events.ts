import type { caseBody, messageBody } from './wire.ts'

type Case = ReturnType<typeof caseBody>
type Message = ReturnType<typeof messageBody>

/** What happened to a case, and who is told: whoever listens to the case, or one user wherever they are connected. */
export type DisputeEvent =
  | { readonly name: 'MessagePosted'; readonly caseId: string; readonly payload: Message }
  | { readonly name: 'CaseOpened'; readonly userId: string; readonly payload: Case }
  | { readonly name: 'CaseResolved'; readonly caseId: string; readonly payload: Case }

type Listener = (event: DisputeEvent) => void

/** Carries events from the operations to the hub. Publish after the commit: what is announced has happened. */
export class DisputeEvents {
  readonly #listeners = new Set<Listener>()

  publish(event: DisputeEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Answers how to stop listening. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
