import { asJson, askConsole, fetchConsole, SESSION_STATE } from '#components/service/ask-console.ts'
import { announceSignedIn, onSessionBack } from '#components/service/session-events.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import type { SessionState } from '#lib/session/session-state.ts'
import type { TopicEvent, TopicResult } from '#lib/stream/stream-event.ts'
import { type ClientOptions, type ConnectionState, EventStreamClient } from './event-stream-client.ts'

export type TabMessage =
  /** `again`: topics whose current value the tab needs. */
  | {
      readonly kind: 'topics'
      readonly tab: string
      readonly topics: readonly string[]
      readonly again: readonly string[]
    }
  /** From the leading tab: each tab answers with its topics. */
  | { readonly kind: 'ask-topics' }
  /** From a visible tab that waits for a connection. */
  | { readonly kind: 'tick' }
  | { readonly kind: 'event'; readonly actor: string; readonly event: TopicEvent }
  | { readonly kind: 'state'; readonly state: ConnectionState }

export interface TabBrowser {
  /** Holds the lock until the tab closes. */
  holdLock(name: string, held: () => void): void
  whenLockFree(name: string, free: () => void): void
  post(message: TabMessage): void
  isHidden(): boolean
  openClient(options: Omit<ClientOptions, 'send' | 'isSignedIn'>): EventStreamClient
}

export interface Subscription {
  onResult(result: TopicResult): void
  onState?(state: ConnectionState): void
  /** Also receives events while the tab is hidden, for notifications and the title. */
  readonly whenHidden?: boolean
}

const TICK_MS = 1_000
const WAITING: ReadonlySet<ConnectionState> = new Set<ConnectionState>(['polling', 'offline', 'session-over'])

/** The tabs of a browser share one stream, held by the leading tab. When it closes, another tab takes the lock. */
export class TabCoordinator {
  readonly #browser: TabBrowser
  readonly #id = crypto.randomUUID()
  readonly #subscriptions = new Map<string, Set<Subscription>>()
  /** A free lock means that the tab is closed, so nothing is announced before. */
  #holdsLock = false
  #announced: ReadonlySet<string> = new Set()
  #refreshed = new Set<string>()
  #planned = false
  #owner = ''
  #state: ConnectionState = 'opening'
  #ticking: ReturnType<typeof setInterval> | undefined
  /** Topics by tab; null in a tab that does not lead. */
  #tabs: Map<string, readonly string[]> | null = null
  #client: EventStreamClient | null = null

  constructor(browser: TabBrowser) {
    this.#browser = browser
    browser.holdLock(tabLock(this.#id), () => {
      this.#holdsLock = true
      this.#announce()
      browser.holdLock('console-stream', () => this.#lead())
    })
  }

  /** Drops events of another operator, except those of the session topic. */
  set owner(actor: string) {
    this.#owner = actor
  }

  get state(): ConnectionState {
    return this.#state
  }

  subscribe(topic: string, subscription: Subscription): () => void {
    const subscriptions = this.#subscriptions.get(topic) ?? new Set()
    this.#subscriptions.set(topic, subscriptions.add(subscription))
    // The current value of an announced topic has arrived before this subscription.
    if (this.#announced.has(topic)) this.#refreshed.add(topic)
    this.#plan()
    return () => {
      subscriptions.delete(subscription)
      if (subscriptions.size === 0 && this.#subscriptions.get(topic) === subscriptions)
        this.#subscriptions.delete(topic)
      this.#plan()
    }
  }

  refresh(topic: string): void {
    this.#refreshed.add(topic)
    this.#plan()
  }

  visibilityChanged(): void {
    this.#plan()
  }

  reconnectNow(): void {
    if (this.#client !== null) this.#client.reconnectNow()
    else this.#browser.post({ kind: 'tick' })
  }

  disconnect(): void {
    this.#client?.disconnect()
  }

  receive(message: TabMessage): void {
    if (message.kind === 'event') this.#deliver(message.event, message.actor)
    else if (message.kind === 'state') this.#setState(message.state)
    else if (message.kind === 'tick') this.#client?.tick()
    else if (message.kind === 'topics') this.#setTopics(message.tab, message.topics, message.again)
    else {
      this.#announced = new Set()
      this.#announce()
    }
  }

  #plan(): void {
    if (this.#planned) return
    this.#planned = true
    setTimeout(() => {
      this.#planned = false
      this.#announce()
    })
  }

  #announce(): void {
    if (!this.#holdsLock) return
    const hidden = this.#browser.isHidden()
    const topics = [...this.#subscriptions].flatMap(([topic, subscriptions]) =>
      hidden && ![...subscriptions].some(({ whenHidden }) => whenHidden) ? [] : [topic],
    )
    const again = topics.filter((topic) => !this.#announced.has(topic) || this.#refreshed.has(topic))
    const same = again.length === 0 && topics.length === this.#announced.size
    this.#announced = new Set(topics)
    this.#refreshed = new Set()
    if (same) return
    if (this.#tabs === null) this.#browser.post({ kind: 'topics', tab: this.#id, topics, again })
    else this.#setTopics(this.#id, topics, again)
  }

  #lead(): void {
    this.#tabs = new Map()
    this.#announced = new Set()
    this.#announce()
    this.#browser.post({ kind: 'ask-topics' })
    this.#client = this.#browser.openClient({
      topics: () => [...new Set([...(this.#tabs?.values() ?? [])].flat())],
      onEvent: (event, actor) => {
        this.#browser.post({ kind: 'event', event, actor })
        this.#deliver(event, actor)
      },
      onState: (state) => {
        this.#browser.post({ kind: 'state', state })
        this.#setState(state)
      },
    })
  }

  #setTopics(tab: string, topics: readonly string[], again: readonly string[]): void {
    if (this.#tabs === null) return
    if (!this.#tabs.has(tab) && tab !== this.#id) {
      this.#browser.whenLockFree(tabLock(tab), () => {
        this.#tabs?.delete(tab)
        this.#client?.topicsChanged([])
      })
      // A page that has just opened has a session.
      if (this.#state === 'session-over') this.#client?.reconnectNow()
      else this.#browser.post({ kind: 'state', state: this.#state })
    }
    this.#tabs.set(tab, topics)
    this.#client?.topicsChanged(again)
  }

  #deliver({ topic, result }: TopicEvent, actor: string): void {
    if (actor !== this.#owner && topic !== 'session') return
    // An event may arrive after the topic was dropped or the tab hidden.
    if (!this.#announced.has(topic)) return
    for (const subscription of [...(this.#subscriptions.get(topic) ?? [])]) subscription.onResult(result)
  }

  #setState(state: ConnectionState): void {
    if (state === this.#state) return
    this.#state = state
    clearInterval(this.#ticking)
    if (WAITING.has(state)) this.#ticking = setInterval(() => this.#tick(), TICK_MS)
    const failure = failureOf(state)
    for (const [topic, subscriptions] of [...this.#subscriptions]) {
      for (const subscription of [...subscriptions]) {
        subscription.onState?.(state)
        if (topic === 'session' && state === 'session-over')
          subscription.onResult({ ok: true, value: { signedIn: false } })
        else if (failure !== null) subscription.onResult(failure)
      }
    }
  }

  #tick(): void {
    if (this.#browser.isHidden()) return
    if (this.#client === null) this.#browser.post({ kind: 'tick' })
    else this.#client.tick()
  }
}

const tabLock = (id: string): string => `console-tab ${id}`

/** Null while events arrive. */
function failureOf(state: ConnectionState): TopicResult | null {
  if (state === 'offline') return { ok: false, problem: problemOf('console-unreachable') }
  if (state === 'session-over') return { ok: false, problem: problemOf('session-over') }
  return state === 'refused' ? { ok: false, problem: problemOf('console', { status: 403 }) } : null
}

export function startCoordinator(owner: string): TabCoordinator {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('console-stream')
  const { locks } = navigator
  const browser: TabBrowser = {
    // Without Web Locks, each tab has its own stream.
    holdLock: (name, held) => {
      if (locks === undefined) held()
      else
        void locks.request(name, () => {
          held()
          return new Promise<never>(() => {})
        })
    },
    whenLockFree: (name, free) => void locks?.request(name, free),
    post: (message) => locks && channel?.postMessage(message),
    isHidden: () => document.visibilityState === 'hidden',
    openClient: (options) => new EventStreamClient({ ...options, send, isSignedIn }),
  }
  const coordinator = new TabCoordinator(browser)
  coordinator.owner = owner
  channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => coordinator.receive(data))
  document.addEventListener('visibilitychange', () => coordinator.visibilityChanged())
  window.addEventListener('online', () => coordinator.reconnectNow())
  window.addEventListener('offline', () => coordinator.disconnect())
  onSessionBack(() => coordinator.reconnectNow())
  return coordinator
}

const send = (path: string, body: unknown, signal?: AbortSignal): Promise<Response> =>
  fetchConsole(path, { method: 'POST', ...asJson(body), ...(signal === undefined ? {} : { signal }) })

async function isSignedIn(signal: AbortSignal): Promise<boolean | null> {
  const answer = await askConsole(SESSION_STATE, { signal })
  if (answer?.status !== 200) return null
  const { signedIn } = answer.body as SessionState
  if (signedIn) announceSignedIn()
  return signedIn
}
