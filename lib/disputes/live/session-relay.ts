import 'server-only'
import { config } from '#lib/config/config.ts'
import { isShuttingDown, onShutdown, perProcess } from '#lib/config/per-process.ts'
import { DISPUTE_HUB_PATH, hubMethods } from '#lib/contract/disputes.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { limitConcurrency, type ThreadService, threadMessage, threadService } from '#lib/disputes/dispute-service.ts'
import { CaseThread, readThread } from '#lib/disputes/thread/case-thread.ts'
import type { ThreadCase, ThreadMessage } from '#lib/disputes/thread/thread.ts'
import { recordEventSoon } from '#lib/disputes/unread/thread-table.ts'
import { liveSessions, onSessionEnded } from '#lib/session/live-sessions.ts'
import type { Session } from '#lib/session/session.ts'
import { accessToken } from '#lib/session/vault/access-token.ts'
import {
  type Hub,
  HubConnection,
  type HubEventName,
  type HubListener,
  readHubPayload,
} from '#lib/stream/hub-connection.ts'
import { type Schedule, schedule } from '#lib/stream/schedule.ts'
import type { CaseEvent, CaseStatus, LiveState } from './case-stream.ts'

const relays = (): Map<string, SessionRelay> =>
  perProcess('case relays', () => {
    const all = new Map<string, SessionRelay>()
    onSessionEnded((sessionId) => {
      all.get(sessionId)?.stop()
      all.delete(sessionId)
    })
    onShutdown(() => {
      for (const relay of all.values()) relay.stop()
    })
    return all
  })

/** Null if the session is over or the process shuts down. */
export function relayOf(session: Session): SessionRelay | null {
  if (isShuttingDown() || !liveSessions().has(session.id)) return null
  const relay = relays().get(session.id) ?? openRelay(session, schedule)
  relays().set(session.id, relay)
  return relay
}

export const openRelay = (session: Session, schedule: Schedule): SessionRelay =>
  new SessionRelay({
    service: limitConcurrency(threadService(session)),
    schedule,
    onEvent: recordEventSoon,
    openHub: (listener) =>
      new HubConnection({
        url: config().coreWsUrl + DISPUTE_HUB_PATH,
        token: (rejected) => accessToken(session, rejected, 'hub'),
        listener,
        schedule,
      }),
  })

/** The hub connection stays open, because the person may open another case soon. */
const HUB_KEPT_MS = 60_000

/** `readAt`: ISO 8601. */
export type CaseListener = (event: CaseEvent, readAt: string) => void

interface RelayOptions {
  readonly openHub: (listener: HubListener) => Hub
  readonly service: ThreadService
  readonly schedule: Schedule
  readonly onEvent?: (caseId: string, event: CaseEvent) => void
}

/** One hub connection per session, one watch per case. Sessions share nothing: each may see different cases. */
export class SessionRelay {
  readonly #options: RelayOptions
  /** In lower case, because a UUID may come in either case. */
  readonly #watches = new Map<string, CaseWatch>()
  #hub: Hub | null = null
  #cancelHangUp: () => void = () => {}

  constructor(options: RelayOptions) {
    this.#options = options
  }

  watch(caseId: string, listener: CaseListener): () => void {
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
    const { service, schedule, onEvent = () => {} } = this.#options
    const watch = new CaseWatch({ caseId, service, hub, schedule, onEvent: (event) => onEvent(caseId, event) })
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
      connected: () => this.#each((watch) => watch.hubConnected()),
      disconnected: () => this.#each((watch) => watch.hubDisconnected()),
      received: (name, payload) => this.#receive(name, payload),
    }
  }

  #receive(name: HubEventName, payload: unknown): void {
    if (name === 'CaseOpened') return
    const readable = name === 'MessagePosted' ? this.#postMessage(payload) : this.#resolveCase(payload)
    // An unreadable event names no case, so all are read again.
    if (!readable) this.#each((watch) => watch.readAgain())
  }

  #postMessage(payload: unknown): boolean {
    const message = readHubPayload('MessagePosted', payload)
    if (message !== null) this.#watchOf(message.disputeCaseId)?.posted(threadMessage(message))
    return message !== null
  }

  #resolveCase(payload: unknown): boolean {
    const found = readHubPayload('CaseResolved', payload)
    if (found !== null) this.#watchOf(found.id)?.resolved(found)
    return found !== null
  }

  #watchOf(caseId: string): CaseWatch | undefined {
    return this.#watches.get(caseId.toLowerCase())
  }

  #each(act: (watch: CaseWatch) => void): void {
    for (const watch of [...this.#watches.values()]) act(watch)
  }
}

/** While the hub is connected, a check compares the number of messages. */
const CHECK_MS = 60_000
const POLL_MS = 5_000
const HUB_FIRST_MS = 3_000
/** About a minute, after the hub refused to join. */
const READS_BETWEEN_JOINS = 12

interface CaseWatchOptions {
  readonly caseId: string
  readonly service: ThreadService
  readonly hub: Pick<Hub, 'connection' | 'isFirstAttempt' | 'call'>
  readonly schedule: Schedule
  /** Called even if there are no listeners. */
  readonly onEvent?: (event: CaseEvent) => void
}

/** Joins the hub before it reads, so that no message is missed. After a reconnect both again: the hub forgets. */
class CaseWatch {
  readonly #options: CaseWatchOptions
  #thread = new CaseThread()
  readonly #listeners = new Set<CaseListener>()
  #reading = false
  #again = false
  readonly #stopping = new AbortController()
  #loaded = false
  /** The connection that was requested to join and has not refused. */
  #joining: number | null = null
  #joined: number | null = null
  #readsUntilJoin = 0
  /** The latest read began after the join and is complete. */
  #caughtUp = false
  /** The hub's state has not changed since the latest read began. */
  #settled = false
  #problem: Problem | null = null
  #missing = 0
  /** The latest answer of the service was that the person may not see the case. */
  #isLost = false
  #lastStatus: string
  #cancelNext: () => void = () => {}

  constructor(options: CaseWatchOptions) {
    this.#options = options
    this.#lastStatus = JSON.stringify(this.#status())
    if (options.hub.isFirstAttempt) this.#cancelNext = options.schedule(HUB_FIRST_MS, () => this.readAgain())
    else this.readAgain()
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted
  }

  get listeners(): number {
    return this.#listeners.size
  }

  listen(listener: CaseListener): () => void {
    if (this.#loaded) listener(this.#snapshot(), this.#thread.readAt)
    listener({ type: 'status', status: this.#status() }, this.#thread.readAt)
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  hubConnected(): void {
    this.#settled = false
    this.#readsUntilJoin = 0
    this.readAgain()
    this.#publishStatus()
  }

  hubDisconnected(): void {
    this.#joined = null
    this.#caughtUp = false
    if (!this.#loaded) this.readAgain()
    else if (!this.#reading) this.#plan()
    this.#publishStatus()
  }

  posted(message: ThreadMessage): void {
    if (this.#isLost) return
    const added = this.#thread.post(message)
    if (added.length > 0) this.#publish({ type: 'messages', messages: added })
    // System messages record changes of the case.
    if (added.length > 0 && message.isSystemMessage) this.readAgain()
  }

  resolved(found: ThreadCase): void {
    if (this.#isLost) return
    if (this.#thread.resolve(found)) this.#publish({ type: 'case', case: found, readOnly: true })
    this.readAgain()
  }

  readAgain(): void {
    if (this.#stopped) return
    this.#cancelNext()
    this.#again = true
    if (!this.#reading) void this.#readUntilQuiet()
  }

  stop(): void {
    this.#stopping.abort()
    this.#cancelNext()
    this.#listeners.clear()
    this.#leave()
  }

  #leave(): void {
    const { hub, caseId } = this.#options
    // The hub runs calls in order, so this follows a pending join.
    if (this.#joining !== null && this.#joining === hub.connection) void hub.call(hubMethods.leave, caseId)
    this.#joining = null
    this.#joined = null
  }

  async #readUntilQuiet(): Promise<void> {
    this.#reading = true
    while (this.#again && !this.#stopped) {
      this.#again = false
      await this.#join()
      if (!this.#stopped) await this.#read()
    }
    this.#reading = false
    if (!this.#stopped) this.#plan()
  }

  async #join(): Promise<void> {
    const { hub, caseId } = this.#options
    const { connection } = hub
    if (connection === null || connection === this.#joined || this.#isLost) return
    this.#readsUntilJoin -= 1
    if (this.#readsUntilJoin >= 0) return
    this.#joining = connection
    const allowed = await hub.call(hubMethods.join, caseId)
    if (connection !== hub.connection) return
    if (allowed) this.#joined = connection
    else this.#joining = null
    this.#readsUntilJoin = READS_BETWEEN_JOINS
  }

  async #read(): Promise<void> {
    const { hub, caseId, service } = this.#options
    const joined = this.#joined
    this.#problem = await readThread({
      service,
      caseId,
      thread: this.#thread,
      signal: this.#stopping.signal,
      onEvent: (event) => this.#publish(event),
    })
    if (this.#problem?.status === 403 || this.#problem?.status === 404) this.#loseAccess()
    else if (this.#isLost && this.#problem === null) this.#regainAccess()
    if (this.#problem === null || this.#isLost) this.#missing = this.#thread.missing
    const isCurrent = joined !== null && joined === hub.connection
    this.#caughtUp = isCurrent && this.#problem === null && this.#thread.complete
    if (!this.#again) this.#settled = true
    if (!this.#loaded && this.#problem === null) {
      this.#loaded = true
      this.#publish(this.#snapshot())
    }
    this.#publishStatus()
  }

  #loseAccess(): void {
    this.#isLost = true
    this.#leave()
    this.#loaded = false
    this.#thread = new CaseThread()
  }

  /** Joins and reads again, because messages may come between this read and the join. */
  #regainAccess(): void {
    this.#isLost = false
    this.#settled = false
    this.#readsUntilJoin = 0
    this.#again = true
  }

  #plan(): void {
    this.#cancelNext()
    const retryAfter = (this.#problem?.retryAfterSeconds ?? 0) * 1000
    const pause = this.#caughtUp ? CHECK_MS : Math.max(POLL_MS, Math.min(retryAfter, CHECK_MS))
    this.#cancelNext = this.#options.schedule(pause, () => this.readAgain())
  }

  #state(): LiveState {
    if (this.#caughtUp) return 'live'
    return this.#settled ? 'polling' : 'catching-up'
  }

  #status(): CaseStatus {
    return { state: this.#state(), unreadable: this.#missing, problem: this.#problem }
  }

  #snapshot(): CaseEvent {
    const { case: found, readOnly, messages } = this.#thread
    if (found === null) throw new Error('a case that was read is missing')
    return { type: 'snapshot', case: found, readOnly, messages }
  }

  #publishStatus(): void {
    const status = this.#status()
    const text = JSON.stringify(status)
    if (text === this.#lastStatus || this.#stopped) return
    this.#lastStatus = text
    for (const listener of this.#listeners) listener({ type: 'status', status }, this.#thread.readAt)
  }

  /** The first snapshot will contain earlier events. */
  #publish(event: CaseEvent): void {
    if (!this.#loaded || this.#stopped) return
    this.#options.onEvent?.(event)
    for (const listener of this.#listeners) listener(event, this.#thread.readAt)
  }
}
