import 'server-only'
import { hubMethods } from '#lib/contract/disputes.ts'
import type { Problem } from '#lib/contract/problem.ts'
import { CaseThread, readThread } from '#lib/disputes/thread/case-thread.ts'
import type { ThreadCase, ThreadMessage } from '#lib/disputes/thread/thread.ts'
import type { ThreadService } from '#lib/disputes/thread/thread-service.ts'
import type { Hub } from '#lib/live/hub.ts'
import type { Schedule } from '#lib/live/schedule.ts'
import type { CaseEvent, CaseStatus, LiveState } from './case-stream.ts'

/** While the hub is connected, a check compares the number of messages. */
const CHECK_MS = 60_000
const POLL_MS = 5_000
const HUB_FIRST_MS = 3_000
/** About a minute, after the hub refused to join. */
const READINGS_BETWEEN_JOINS = 12

export interface CaseWatchOptions {
  readonly caseId: string
  readonly service: ThreadService
  readonly hub: Pick<Hub, 'connection' | 'beginning' | 'call'>
  readonly schedule: Schedule
  /** Called even if there are no listeners. */
  readonly heard?: (event: CaseEvent) => void
}

/**
 * Joins the hub before it reads, so that no message is missed. Repeats both after a reconnect, because the hub forgets
 * its members.
 */
export class CaseWatch {
  readonly #options: CaseWatchOptions
  readonly #thread = new CaseThread()
  readonly #listeners = new Set<(event: CaseEvent) => void>()
  #reading = false
  #again = false
  readonly #stopping = new AbortController()
  #loaded = false
  /** The connection that was asked to join and has not refused. */
  #asked: number | null = null
  #joined: number | null = null
  #readingsUntilJoin = 0
  /** The latest read began after the join and is complete. */
  #caughtUp = false
  /** The hub's state has not changed since the latest read began. */
  #settled = false
  #problem: Problem | null = null
  #lastStatus: string
  #cancelNext: () => void = () => {}

  constructor(options: CaseWatchOptions) {
    this.#options = options
    this.#lastStatus = JSON.stringify(this.#status())
    if (options.hub.beginning) this.#cancelNext = options.schedule(HUB_FIRST_MS, () => this.readAgain())
    else this.readAgain()
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted
  }

  get listeners(): number {
    return this.#listeners.size
  }

  /** Returns how to stop. */
  listen(listener: (event: CaseEvent) => void): () => void {
    if (this.#loaded) listener(this.#snapshot())
    listener({ type: 'status', status: this.#status() })
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  hubUp(): void {
    this.#settled = false
    this.#readingsUntilJoin = 0
    this.readAgain()
    this.#publishStatus()
  }

  hubDown(): void {
    this.#joined = null
    this.#caughtUp = false
    if (!this.#loaded) this.readAgain()
    else if (!this.#reading) this.#plan()
    this.#publishStatus()
  }

  posted(message: ThreadMessage): void {
    const news = this.#thread.post(message)
    if (news.length > 0) this.#publish({ type: 'messages', messages: news })
    // System messages record changes of the case.
    if (news.length > 0 && message.isSystemMessage) this.readAgain()
  }

  resolved(found: ThreadCase): void {
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
    const { hub, caseId } = this.#options
    // The hub runs calls in order, so this follows a pending join.
    if (this.#asked !== null && this.#asked === hub.connection) void hub.call(hubMethods.leave, caseId)
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
    if (connection === null || connection === this.#joined) return
    this.#readingsUntilJoin -= 1
    if (this.#readingsUntilJoin >= 0) return
    this.#asked = connection
    const allowed = await hub.call(hubMethods.join, caseId)
    if (connection !== hub.connection) return
    if (allowed) this.#joined = connection
    else this.#asked = null
    this.#readingsUntilJoin = READINGS_BETWEEN_JOINS
  }

  async #read(): Promise<void> {
    const { hub, caseId, service } = this.#options
    const listening = this.#joined
    this.#problem = await readThread({
      service,
      caseId,
      thread: this.#thread,
      signal: this.#stopping.signal,
      onEvent: (event) => this.#publish(event),
    })
    const current = listening !== null && listening === hub.connection
    this.#caughtUp = current && this.#problem === null && this.#thread.complete
    if (!this.#again) this.#settled = true
    if (!this.#loaded && this.#problem === null) {
      this.#loaded = true
      this.#publish(this.#snapshot())
    }
    this.#publishStatus()
  }

  #plan(): void {
    this.#cancelNext()
    const asked = (this.#problem?.retryAfterSeconds ?? 0) * 1000
    const pause = this.#caughtUp ? CHECK_MS : Math.max(POLL_MS, asked)
    this.#cancelNext = this.#options.schedule(pause, () => this.readAgain())
  }

  #state(): LiveState {
    if (this.#caughtUp) return 'live'
    return this.#settled ? 'polling' : 'catching-up'
  }

  #status(): CaseStatus {
    return { state: this.#state(), unreadable: this.#thread.unreadable, problem: this.#problem }
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
    for (const listener of this.#listeners) listener({ type: 'status', status })
  }

  /** The first snapshot will contain earlier events. */
  #publish(event: CaseEvent): void {
    if (!this.#loaded || this.#stopped) return
    this.#options.heard?.(event)
    for (const listener of this.#listeners) listener(event)
  }
}
