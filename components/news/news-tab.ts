import { problemOf } from '#lib/contract/problem-of.ts'
import type { Told, TopicNews } from '#lib/news/news-event.ts'
import type { LineOptions, NewsLine } from './news-line.ts'
import type { Way } from './way.ts'

/** What tabs of one browser say to each other. */
export type TabMessage =
  /** What a tab follows; of `again` it wants to hear as it is now. */
  | {
      readonly kind: 'follow'
      readonly tab: string
      readonly topics: readonly string[]
      readonly again: readonly string[]
    }
  /** The tab that leads asks all what they follow. */
  | { readonly kind: 'who' }
  /** A tab that can be seen waits. */
  | { readonly kind: 'tick' }
  | { readonly kind: 'news'; readonly actor: string; readonly news: TopicNews }
  | { readonly kind: 'way'; readonly way: Way }

/** What a tab needs of its browser. */
export interface TabBrowser {
  /** Holds a lock until the tab is gone; `held` runs once it has it. */
  hold(name: string, held: () => void): void
  /** Runs once nobody holds a lock any more. */
  whenFree(name: string, free: () => void): void
  post(message: TabMessage): void
  isHidden(): boolean
  openLine(options: Omit<LineOptions, 'ask' | 'isSignedIn'>): NewsLine
}

export interface Following {
  tell(told: Told): void
  onWay?(way: Way): void
  /** Followed while the tab is hidden, too: for what is told beside the page. */
  readonly whenHidden?: boolean
}

const TICK_MS = 1_000
const WAITING: ReadonlySet<Way> = new Set<Way>(['polling', 'offline', 'session-over'])

/**
 * One tab among those of its browser. One of them leads: it holds the one stream, asks there for what all of them follow, and
 * passes the news on. When it is gone, the next one leads and begins anew.
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
  /** Null in a tab that does not lead. By tab. */
  #tabs: Map<string, readonly string[]> | null = null
  #line: NewsLine | null = null

  constructor(browser: TabBrowser) {
    this.#browser = browser
    browser.hold(tabLock(this.#id), () => {
      this.#announce()
      browser.hold('console-news', () => this.#lead())
    })
  }

  /** Whose page this is: nothing of somebody else's is told here, but that it is theirs now. */
  set owner(actor: string) {
    this.#owner = actor
  }

  get way(): Way {
    return this.#way
  }

  /** Answers how to stop. */
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

  /** Wants to hear a topic as it is now, whether it has changed or not. */
  askAgain(topic: string): void {
    this.#wanted.add(topic)
    this.#plan()
  }

  /** It was hidden, or can be seen again. */
  seen(): void {
    this.#plan()
  }

  /** The session may be back, or the network: all of it is asked for anew. */
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

  /** What changes in one go is announced once. */
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
      // A page that has just been opened has a session.
      if (this.#way === 'session-over') this.#line?.hurry()
      else this.#browser.post({ kind: 'way', way: this.#way })
    }
    this.#tabs.set(tab, topics)
    this.#line?.ask(again)
  }

  #tell({ topic, told }: TopicNews, actor: string): void {
    if (actor !== this.#owner && topic !== 'session') return
    // What is not followed any more, or not while it is hidden.
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

/** Why nothing is known any more; null while news come. */
function toldBy(way: Way): Told | null {
  if (way === 'offline') return { ok: false, problem: problemOf('console-unreachable') }
  if (way === 'session-over') return { ok: false, problem: problemOf('session-over') }
  return way === 'refused' ? { ok: false, problem: problemOf('console', { status: 403 }) } : null
}
