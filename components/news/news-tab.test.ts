import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Told, TopicNews } from '#lib/news/news-event.ts'
import type { LineOptions, NewsLine } from './news-line.ts'
import { NewsTab, type TabMessage } from './news-tab.ts'

/** A browser with some tabs: its locks and its channel, as the web has them. */
class Browser {
  readonly tabs: TestTab[] = []
  readonly locks = new Map<string, { owner: TestTab; readonly waiting: { owner: TestTab; run: () => void }[] }>()

  request(owner: TestTab, name: string, run: () => void): void {
    const lock = this.locks.get(name)
    if (lock !== undefined) lock.waiting.push({ owner, run })
    else {
      this.locks.set(name, { owner, waiting: [] })
      run()
    }
  }

  /** A tab is gone without a word; its locks are free. */
  close(tab: TestTab): void {
    this.tabs.splice(this.tabs.indexOf(tab), 1)
    tab.closed = true
    for (const [name, lock] of [...this.locks]) {
      lock.waiting.splice(0, Infinity, ...lock.waiting.filter(({ owner }) => owner !== tab))
      if (lock.owner !== tab) continue
      const next = lock.waiting.shift()
      if (next === undefined) this.locks.delete(name)
      else {
        lock.owner = next.owner
        next.run()
      }
    }
  }
}

class TestTab {
  closed = false
  hidden = false
  /** Of a tab that leads. */
  line: Omit<LineOptions, 'ask' | 'isSignedIn'> | null = null
  readonly asked: (readonly string[])[] = []
  hurried = 0
  readonly told: Told[] = []
  readonly tab: NewsTab

  constructor(browser: Browser, owner = 'mia') {
    browser.tabs.push(this)
    this.tab = new NewsTab({
      hold: (name, held) => browser.request(this, name, held),
      whenFree: (name, free) => browser.request(this, name, free),
      post: (message: TabMessage) => {
        for (const other of browser.tabs) if (other !== this) queueMicrotask(() => other.tab.hear(message))
      },
      isHidden: () => this.hidden,
      openLine: (options) => {
        this.line = options
        const line = {
          ask: (again: readonly string[]) => this.asked.push(again),
          tick() {},
          hurry: () => (this.hurried += 1),
        }
        return line as unknown as NewsLine
      },
    })
    this.tab.owner = owner
  }

  follow(topic: string, how = {}) {
    return this.tab.follow(topic, { ...how, tell: (told) => this.told.push(told) })
  }

  setHidden(hidden: boolean) {
    this.hidden = hidden
    this.tab.seen()
  }
}

const news = (topic: string, value: unknown): TopicNews => ({ type: 'news', topic, told: { ok: true, value } })
const values = (tab: TestTab) => tab.told.map((told) => (told.ok ? told.value : told.problem.kind))
const settle = () => vi.advanceTimersByTimeAsync(2_000)

let browser: Browser
beforeEach(() => {
  vi.useFakeTimers()
  browser = new Browser()
})
afterEach(() => {
  vi.useRealTimers()
})

async function sevenTabs(): Promise<TestTab[]> {
  const tabs = Array.from({ length: 7 }, () => new TestTab(browser))
  for (const [at, tab] of tabs.entries()) {
    tab.follow('session', { whenHidden: true })
    tab.follow(`thread ${at}`)
  }
  await settle()
  return tabs
}

test('of seven tabs one holds the stream, for all that they follow, and all of them hear', async () => {
  const tabs = await sevenTabs()
  const leaders = tabs.filter(({ line }) => line !== null)
  expect(leaders).toHaveLength(1)
  expect([...(leaders[0]?.line?.topics() ?? [])].sort()).toEqual(
    ['session', ...tabs.map((_tab, at) => `thread ${at}`)].sort(),
  )
  leaders[0]?.line?.onNews(news('session', 1), 'mia')
  leaders[0]?.line?.onNews(news('thread 5', 'hello'), 'mia')
  await settle()
  expect(tabs.map(values)).toEqual(tabs.map((_tab, at) => (at === 5 ? [1, 'hello'] : [1])))
})

test('when the tab that leads is closed, another one leads and asks for everything anew', async () => {
  const tabs = await sevenTabs()
  const first = tabs.find(({ line }) => line !== null)
  if (first === undefined) throw new Error('nobody leads')
  browser.close(first)
  await vi.advanceTimersByTimeAsync(0)
  const rest = tabs.filter((tab) => tab !== first)
  const next = rest.filter(({ line }) => line !== null)
  expect(next).toHaveLength(1)
  await settle()
  const gone = `thread ${tabs.indexOf(first)}`
  expect(next[0]?.line?.topics()).toHaveLength(7)
  expect(next[0]?.line?.topics()).not.toContain(gone)
})

test('what a tab follows is followed no more when the tab is gone', async () => {
  const [leader, other] = [new TestTab(browser), new TestTab(browser)]
  leader.follow('session')
  other.follow('thread 1')
  await settle()
  expect(leader.line?.topics()).toEqual(['session', 'thread 1'])
  browser.close(other)
  await settle()
  expect(leader.line?.topics()).toEqual(['session'])
})

test('follows less in a hidden tab, and catches up', async () => {
  const tab = new TestTab(browser)
  tab.follow('own-cases', { whenHidden: true })
  tab.follow('thread 1')
  await settle()
  tab.setHidden(true)
  await settle()
  expect(tab.line?.topics()).toEqual(['own-cases'])
  // A late word of what is not followed any more.
  tab.line?.onNews(news('thread 1', 'late'), 'mia')
  expect(values(tab)).toEqual([])
  tab.setHidden(false)
  await settle()
  expect(tab.line?.topics()).toEqual(['own-cases', 'thread 1'])
  expect(tab.asked.at(-1)).toEqual(['thread 1'])
})

test('a tab that begins to follow what another one follows hears it as it is now', async () => {
  const [leader, other] = [new TestTab(browser), new TestTab(browser)]
  leader.follow('home')
  await settle()
  other.follow('home')
  await settle()
  expect(leader.asked.at(-1)).toEqual(['home'])
})

test('a page of somebody else hears nothing of this person but that they are signed in', async () => {
  const [leader, other] = [new TestTab(browser, 'mia'), new TestTab(browser, 'leo')]
  for (const tab of [leader, other]) {
    tab.follow('session')
    tab.follow('home')
  }
  await settle()
  leader.line?.onNews(news('home', 'of leo'), 'leo')
  leader.line?.onNews(news('session', 'leo'), 'leo')
  await settle()
  expect([values(leader), values(other)]).toEqual([['leo'], ['of leo', 'leo']])
})

test('tells all tabs why updates stopped, and resumes them', async () => {
  const [leader, other] = [new TestTab(browser), new TestTab(browser)]
  other.follow('session')
  other.follow('home')
  await settle()
  leader.line?.onWay('offline')
  leader.line?.onWay('session-over')
  await settle()
  expect(values(other)).toEqual(['console-unreachable', 'console-unreachable', { signedIn: false }, 'session-over'])
  expect(leader.hurried).toBe(0)
  new TestTab(browser).follow('session')
  await settle()
  expect(leader.hurried).toBe(1)
})
