import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TopicEvent, TopicResult } from '#lib/stream/stream-event.ts'
import type { ClientOptions, EventStreamClient } from './event-stream-client.ts'
import { TabCoordinator, type TabMessage } from './tab-coordinator.ts'

/** A browser with tabs, locks and a channel. */
class Browser {
  readonly tabs: TestTab[] = []
  /** Requests of locks that are not granted yet; null while each is granted at once. */
  delayed: (() => void)[] | null = null
  readonly locks = new Map<string, { owner: TestTab; readonly waiting: { owner: TestTab; run: () => void }[] }>()

  request(owner: TestTab, name: string, run: () => void): void {
    const lock = this.locks.get(name)
    if (lock !== undefined) lock.waiting.push({ owner, run })
    else {
      this.locks.set(name, { owner, waiting: [] })
      run()
    }
  }

  /** Closes a tab without notice and frees its locks. */
  close(tab: TestTab): void {
    this.tabs.splice(this.tabs.indexOf(tab), 1)
    tab.closed = true
    for (const [name, lock] of [...this.locks]) {
      lock.waiting.splice(0, Infinity, ...lock.waiting.filter(({ owner }) => owner !== tab))
      if (lock.owner === tab) this.release(name)
    }
  }

  release(name: string): void {
    const lock = this.locks.get(name)
    const next = lock?.waiting.shift()
    if (lock === undefined || next === undefined) this.locks.delete(name)
    else {
      lock.owner = next.owner
      next.run()
    }
  }
}

class TestTab {
  closed = false
  hidden = false
  /** Null in a tab that does not lead. */
  client: Omit<ClientOptions, 'send' | 'isSignedIn'> | null = null
  readonly refreshed: (readonly string[])[] = []
  reconnects = 0
  readonly results: TopicResult[] = []
  readonly coordinator: TabCoordinator

  constructor(browser: Browser, owner = 'mia') {
    browser.tabs.push(this)
    this.coordinator = new TabCoordinator({
      holdLock: (name, held) => {
        const request = () => browser.request(this, name, held)
        if (browser.delayed === null) request()
        else browser.delayed.push(request)
      },
      whenLockFree: (name, free) =>
        queueMicrotask(() =>
          browser.request(this, name, () => {
            free()
            browser.release(name)
          }),
        ),
      post: (message: TabMessage) => {
        for (const other of browser.tabs) if (other !== this) queueMicrotask(() => other.coordinator.receive(message))
      },
      isHidden: () => this.hidden,
      openClient: (options) => {
        this.client = options
        const client = {
          topicsChanged: (again: readonly string[]) => this.refreshed.push(again),
          tick() {},
          reconnectNow: () => (this.reconnects += 1),
        }
        return client as unknown as EventStreamClient
      },
    })
    this.coordinator.owner = owner
  }

  subscribe(topic: string, options = {}) {
    return this.coordinator.subscribe(topic, { ...options, onResult: (result) => this.results.push(result) })
  }

  setHidden(hidden: boolean) {
    this.hidden = hidden
    this.coordinator.visibilityChanged()
  }
}

const event = (topic: string, value: unknown): TopicEvent => ({ type: 'topic', topic, result: { ok: true, value } })
const values = (tab: TestTab) => tab.results.map((result) => (result.ok ? result.value : result.problem.kind))
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
    tab.subscribe('session', { whenHidden: true })
    tab.subscribe(`thread ${at}`)
  }
  await settle()
  return tabs
}

test('a tab announces its topics once it holds its lock', async () => {
  const leader = new TestTab(browser)
  leader.subscribe('session')
  await settle()
  browser.delayed = []
  new TestTab(browser).subscribe('thread 1')
  await settle()
  for (const grant of browser.delayed.splice(0)) grant()
  for (const grant of browser.delayed) grant()
  await settle()
  expect(leader.client?.topics()).toEqual(['session', 'thread 1'])
})

test('one of seven tabs holds the stream for all', async () => {
  const tabs = await sevenTabs()
  const leaders = tabs.filter(({ client }) => client !== null)
  expect(leaders).toHaveLength(1)
  expect([...(leaders[0]?.client?.topics() ?? [])].sort()).toEqual(
    ['session', ...tabs.map((_tab, at) => `thread ${at}`)].sort(),
  )
  leaders[0]?.client?.onEvent(event('session', 1), 'mia')
  leaders[0]?.client?.onEvent(event('thread 5', 'hello'), 'mia')
  await settle()
  expect(tabs.map(values)).toEqual(tabs.map((_tab, at) => (at === 5 ? [1, 'hello'] : [1])))
})

test('another tab leads when the leading one is closed', async () => {
  const tabs = await sevenTabs()
  const first = tabs.find(({ client }) => client !== null)
  if (first === undefined) throw new Error('nobody leads')
  browser.close(first)
  await vi.advanceTimersByTimeAsync(0)
  const rest = tabs.filter((tab) => tab !== first)
  const next = rest.filter(({ client }) => client !== null)
  expect(next).toHaveLength(1)
  await settle()
  const gone = `thread ${tabs.indexOf(first)}`
  expect(next[0]?.client?.topics()).toHaveLength(7)
  expect(next[0]?.client?.topics()).not.toContain(gone)
})

test('drops the topics of a closed tab', async () => {
  const [leader, other] = [new TestTab(browser), new TestTab(browser)]
  leader.subscribe('session')
  other.subscribe('thread 1')
  await settle()
  expect(leader.client?.topics()).toEqual(['session', 'thread 1'])
  browser.close(other)
  await settle()
  expect(leader.client?.topics()).toEqual(['session'])
})

test('a hidden tab keeps only the topics of notifications', async () => {
  const tab = new TestTab(browser)
  tab.subscribe('own-cases', { whenHidden: true })
  tab.subscribe('thread 1')
  await settle()
  tab.setHidden(true)
  await settle()
  expect(tab.client?.topics()).toEqual(['own-cases'])
  // A late event of a dropped topic.
  tab.client?.onEvent(event('thread 1', 'late'), 'mia')
  expect(values(tab)).toEqual([])
  tab.setHidden(false)
  await settle()
  expect(tab.client?.topics()).toEqual(['own-cases', 'thread 1'])
  expect(tab.refreshed.at(-1)).toEqual(['thread 1'])
})

test('a second subscriber gets the current value', async () => {
  const [leader, other] = [new TestTab(browser), new TestTab(browser)]
  leader.subscribe('home')
  await settle()
  other.subscribe('home')
  await settle()
  expect(leader.refreshed.at(-1)).toEqual(['home'])
})

test('a page of another person gets only the session', async () => {
  const [leader, other] = [new TestTab(browser, 'mia'), new TestTab(browser, 'leo')]
  for (const tab of [leader, other]) {
    tab.subscribe('session')
    tab.subscribe('home')
  }
  await settle()
  leader.client?.onEvent(event('home', 'of leo'), 'leo')
  leader.client?.onEvent(event('session', 'leo'), 'leo')
  await settle()
  expect([values(leader), values(other)]).toEqual([['leo'], ['of leo', 'leo']])
})

test('all tabs learn of a lost connection; a new page reconnects', async () => {
  const [leader, other] = [new TestTab(browser), new TestTab(browser)]
  other.subscribe('session')
  other.subscribe('home')
  await settle()
  leader.client?.onState('offline')
  leader.client?.onState('session-over')
  await settle()
  expect(values(other)).toEqual(['console-unreachable', 'console-unreachable', { signedIn: false }, 'session-over'])
  expect(leader.reconnects).toBe(0)
  new TestTab(browser).subscribe('session')
  await settle()
  expect(leader.reconnects).toBe(1)
})

test('asks for the current value for each later subscriber', async () => {
  const leader = new TestTab(browser)
  const stop = leader.subscribe('command 1')
  await settle()
  leader.refreshed.splice(0)
  leader.subscribe('command 1')
  await settle()
  expect(leader.refreshed).toEqual([['command 1']])
  stop()
  leader.subscribe('command 1')
  await settle()
  expect(leader.refreshed).toEqual([['command 1'], ['command 1']])
})

test('asks again for what was refreshed during a quick switch', async () => {
  const tab = new TestTab(browser)
  tab.subscribe('session', { whenHidden: true })
  tab.subscribe('thread 1')
  await settle()
  tab.refreshed.splice(0)
  tab.setHidden(true)
  tab.setHidden(false)
  tab.coordinator.refresh('thread 1')
  await settle()
  expect(tab.refreshed).toEqual([['thread 1']])
})
