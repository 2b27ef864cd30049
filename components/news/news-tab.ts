import { problemOf } from '#lib/contract/problem-of.ts'
import type { Told, TopicNews } from '#lib/news/news-event.ts'
import type { LineOptions, NewsLine } from './news-line.ts'
import type { Way } from './way.ts'

/** Between the tabs of one browser. */
export type TabMessage =
  /** `again`: topics whose current value the tab needs. */
  | {
      readonly kind: 'follow'
      readonly tab: string
      readonly topics: readonly string[]
      readonly again: readonly string[]
    }
  /** From the leading tab: each tab answers with its topics. */
  | { readonly kind: 'who' }
  /** From a visible tab that waits for a connection. */
  | { readonly kind: 'tick' }
  | { readonly kind: 'news'; readonly actor: string; readonly news: TopicNews }
  | { readonly kind: 'way'; readonly way: Way }

export interface TabBrowser {
  /** Holds the lock until the tab closes. */
  hold(name: string, held: () => void): void
  whenFree(name: string, free: () => void): void
  post(message: TabMessage): void
  isHidden(): boolean
  openLine(options: Omit<LineOptions, 'ask' | 'isSignedIn'>): NewsLine
}

export interface Following {
  tell(told: Told): void
  onWay?(way: Way): void
  /** Also follows while the tab is hidden, for notifications and the title. */
  readonly whenHidden?: boolean
}

const TICK_MS = 1_000
const WAITING: ReadonlySet<Way> = new Set<Way>(['polling', 'offline', 'session-over'])

/**
 * The tabs of a browser share one stream, which the leading tab holds. When it closes, another tab takes the lock and
 * opens a new stream.
 */
export class NewsTab {
  readonly #browser: TabBrowser
  readonly #id = crypto.randomUUID()
  readonly #followings = new Map<string, Set<Following>>()
  #announced: ReadonlySet<string> = new Set()
  #wanted = new Set<string>()
  #planned = false
  #owner = ''
  #way: Way = 'opening'
  #ticking: ReturnType<typeof setInterval> | undefined
  /** Topics by tab; null in a tab that does not lead. */
  #tabs: Map<string, readonly string[]> | null = null
  #line: NewsLine | null = null

  constructor(browser: TabBrowser) {
    this.#browser = browser
    browser.hold(tabLock(this.#id), () => {
      this.#announce()
      browser.hold('console-news', () => this.#lead())
    })
  }

  /** News of another operator are dropped, except the session topic. */
  set owner(actor: string) {
    this.#owner = actor
  }

  get way(): Way {
    return this.#way
  }

  follow(topic: string, following: Following): () => void {
    const followings = this.#followings.get(topic) ?? new Set()
    this.#followings.set(topic, followings.add(following))
    this.#plan()
    return () => {
      followings.delete(following)
      if (followings.size === 0 && this.#followings.get(topic) === followings) this.#followings.delete(topic)
      this.#plan()
    }
  }

  askAgain(topic: string): void {
    this.#wanted.add(topic)
    this.#plan()
  }

  seen(): void {
    this.#plan()
  }

  hurry(): void {
    if (this.#line !== null) this.#line.hurry()
    else this.#browser.post({ kind: 'tick' })
  }

  offline(): void {
    this.#line?.cut()
  }

  hear(message: TabMessage): void {
    if (message.kind === 'news') this.#tell(message.news, message.actor)
    else if (message.kind === 'way') this.#setWay(message.way)
    else if (message.kind === 'tick') this.#line?.tick()
    else if (message.kind === 'follow') this.#note(message.tab, message.topics, message.again)
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
    const hidden = this.#browser.isHidden()
    const topics = [...this.#followings].flatMap(([topic, followings]) =>
      hidden && ![...followings].some(({ whenHidden }) => whenHidden) ? [] : [topic],
    )
    const again = topics.filter((topic) => !this.#announced.has(topic) || this.#wanted.has(topic))
    const same = again.length === 0 && topics.length === this.#announced.size
    this.#announced = new Set(topics)
    this.#wanted = new Set()
    if (same) return
    if (this.#tabs === null) this.#browser.post({ kind: 'follow', tab: this.#id, topics, again })
    else this.#note(this.#id, topics, again)
  }

  #lead(): void {
    this.#tabs = new Map()
    this.#announced = new Set()
    this.#announce()
    this.#browser.post({ kind: 'who' })
    this.#line = this.#browser.openLine({
      topics: () => [...new Set([...(this.#tabs?.values() ?? [])].flat())],
      onNews: (news, actor) => {
        this.#browser.post({ kind: 'news', news, actor })
        this.#tell(news, actor)
      },
      onWay: (way) => {
        this.#browser.post({ kind: 'way', way })
        this.#setWay(way)
      },
    })
  }

  #note(tab: string, topics: readonly string[], again: readonly string[]): void {
    if (this.#tabs === null) return
    if (!this.#tabs.has(tab) && tab !== this.#id) {
      this.#browser.whenFree(tabLock(tab), () => {
        this.#tabs?.delete(tab)
        this.#line?.ask([])
      })
      // A page that has just opened has a session.
      if (this.#way === 'session-over') this.#line?.hurry()
      else this.#browser.post({ kind: 'way', way: this.#way })
    }
    this.#tabs.set(tab, topics)
    this.#line?.ask(again)
  }

  #tell({ topic, told }: TopicNews, actor: string): void {
    if (actor !== this.#owner && topic !== 'session') return
    // News may arrive after the topic was dropped or the tab hidden.
    if (!this.#announced.has(topic)) return
    for (const following of [...(this.#followings.get(topic) ?? [])]) following.tell(told)
  }

  #setWay(way: Way): void {
    if (way === this.#way) return
    this.#way = way
    clearInterval(this.#ticking)
    if (WAITING.has(way)) this.#ticking = setInterval(() => this.#tick(), TICK_MS)
    const told = toldBy(way)
    for (const [topic, followings] of [...this.#followings]) {
      for (const following of [...followings]) {
        following.onWay?.(way)
        if (topic === 'session' && way === 'session-over') following.tell({ ok: true, value: { signedIn: false } })
        else if (told !== null) following.tell(told)
      }
    }
  }

  #tick(): void {
    if (this.#browser.isHidden()) return
    if (this.#line === null) this.#browser.post({ kind: 'tick' })
    else this.#line.tick()
  }
}

const tabLock = (id: string): string => `console-tab ${id}`

/** Null while news arrive. */
function toldBy(way: Way): Told | null {
  if (way === 'offline') return { ok: false, problem: problemOf('console-unreachable') }
  if (way === 'session-over') return { ok: false, problem: problemOf('session-over') }
  return way === 'refused' ? { ok: false, problem: problemOf('console', { status: 403 }) } : null
}
