import type { caseBody, messageBody } from './wire.ts'

type Case = ReturnType<typeof caseBody>
type Message = ReturnType<typeof messageBody>

/** Sent to connections that joined `caseId`, or to all connections of `userId`. */
export type DisputeEvent =
  | { readonly name: 'MessagePosted'; readonly caseId: string; readonly payload: Message }
  | { readonly name: 'CaseOpened'; readonly userId: string; readonly payload: Case }
  | { readonly name: 'CaseResolved'; readonly caseId: string; readonly payload: Case }

type Listener = (event: DisputeEvent) => void

/** Publish after the commit. */
export class DisputeEvents {
  readonly #listeners = new Set<Listener>()

  publish(event: DisputeEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
