import 'server-only'
import { type ThreadService, threadCase, threadMessage } from '#lib/disputes/thread/thread-service.ts'
import type { Hub, HubListener } from '#lib/live/hub.ts'
import { type HubEventName, readHubPayload } from '#lib/live/hub-payload.ts'
import type { Schedule } from '#lib/live/schedule.ts'
import type { CaseEvent } from './case-stream.ts'
import { CaseWatch } from './case-watch.ts'

/** The hub connection stays open, because the person may open another case soon. */
const HUB_KEPT_MS = 60_000

export interface RelayOptions {
  readonly openHub: (listener: HubListener) => Hub
  readonly service: ThreadService
  readonly schedule: Schedule
  readonly heard?: (caseId: string, event: CaseEvent) => void
}

/**
 * Has one hub connection per session and one watch per case. Sessions share nothing, because each may see different
 * cases.
 */
export class SessionRelay {
  readonly #options: RelayOptions
  /** In lower case, because a UUID may come in either case. */
  readonly #watches = new Map<string, CaseWatch>()
  #hub: Hub | null = null
  #cancelHangUp: () => void = () => {}

  constructor(options: RelayOptions) {
    this.#options = options
  }

  /** Returns how to stop. */
  watch(caseId: string, listener: (event: CaseEvent) => void): () => void {
    this.#cancelHangUp()
    const watch = this.#watchOf(caseId) ?? this.#open(caseId)
    const stopListening = watch.listen(listener)
    return () => {
      stopListening()
      if (watch.listeners === 0 && this.#watchOf(caseId) === watch) this.#close(caseId, watch)
    }
  }

  stop(): void {
    for (const watch of this.#watches.values()) watch.stop()
    this.#watches.clear()
    this.#hangUp()
  }

  #open(caseId: string): CaseWatch {
    const hub = this.#hub ?? this.#options.openHub(this.#listener())
    this.#hub = hub
    const { service, schedule, heard = () => {} } = this.#options
    const watch = new CaseWatch({ caseId, service, hub, schedule, heard: (event) => heard(caseId, event) })
    this.#watches.set(caseId.toLowerCase(), watch)
    return watch
  }

  #close(caseId: string, watch: CaseWatch): void {
    this.#watches.delete(caseId.toLowerCase())
    watch.stop()
    if (this.#watches.size === 0) this.#cancelHangUp = this.#options.schedule(HUB_KEPT_MS, () => this.#hangUp())
  }

  #hangUp(): void {
    this.#cancelHangUp()
    this.#hub?.stop()
    this.#hub = null
  }

  #listener(): HubListener {
    return {
      up: () => this.#each((watch) => watch.hubUp()),
      down: () => this.#each((watch) => watch.hubDown()),
      sent: (name, payload) => this.#sent(name, payload),
    }
  }

  #sent(name: HubEventName, payload: unknown): void {
    if (name === 'CaseOpened') return
    const readable = name === 'MessagePosted' ? this.#posted(payload) : this.#resolved(payload)
    // An unreadable event names no case, so all are read again.
    if (!readable) this.#each((watch) => watch.readAgain())
  }

  #posted(payload: unknown): boolean {
    const message = readHubPayload('MessagePosted', payload)
    if (message !== null) this.#watchOf(message.disputeCaseId)?.posted(threadMessage(message))
    return message !== null
  }

  #resolved(payload: unknown): boolean {
    const found = readHubPayload('CaseResolved', payload)
    if (found !== null) this.#watchOf(found.id)?.resolved(threadCase(found))
    return found !== null
  }

  #watchOf(caseId: string): CaseWatch | undefined {
    return this.#watches.get(caseId.toLowerCase())
  }

  #each(act: (watch: CaseWatch) => void): void {
    for (const watch of [...this.#watches.values()]) act(watch)
  }
}
