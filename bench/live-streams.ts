import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import pLimit from 'p-limit'
import type { Tables } from '#lib/store/tables.ts'
import type { StreamEvent } from '#lib/stream/stream-event.ts'
import type { Figures } from './aims.ts'
import { CLIENTS, type Client } from './client.ts'
import type { ConsoleProcess } from './console-process.ts'
import { makeChanges } from './live-changes.ts'
import { isLive } from './live-messages.ts'
import { caseOf, signInTabs, type Tab } from './live-tabs.ts'
import { LiveWatch } from './live-watch.ts'
import { median, quantile } from './measure.ts'
import { HISTORY, OPERATOR } from './measured-pages.ts'
import { Operator } from './operator.ts'
import { print } from './print.ts'
import { canReadCost, costOf } from './process-cost.ts'
import type { TimingProxy } from './timing-proxy.ts'

const TABS = 1_000
/** Further ones, whose rows move with each claim: they are not idle. */
const QUEUE_TABS = 100
const QUEUE_SECONDS = 20
const SETTLE_MS = 5_000
/** The 95th of 100 is one of five pages: chance. */
const PAGES = 400
const PAGES_WARM_UP = 20
const PAGE_EVERY_MS = 50

export interface Streams {
  readonly client: Client
  readonly console: ConsoleProcess
  /** Between the console and the service. */
  readonly proxy: TimingProxy
  /** The store of the console, for what is done elsewhere. */
  readonly db: Kysely<Tables>
  readonly seconds: number
}

/** What 1,000 idle tabs take of the console's process while others make ten changes a second in another process. */
export async function measureStreams(streams: Streams): Promise<Figures> {
  if (!canReadCost()) {
    print('memory and CPU of open streams: not measured here, there is no /proc')
    return {}
  }
  const { client, console, db, seconds } = streams
  const ending = Math.floor(seconds / 3)
  const options = { tabs: TABS, queue: QUEUE_TABS, ending }
  const [queueTabs = [], tabs = []] = partition(await signInTabs(client, console.url, options), ({ topics }) =>
    topics.includes('queue'),
  )
  const operator = await Operator.signIn(console.url, OPERATOR)
  const changes = makeChanges(
    db,
    tabs.flatMap((tab) => caseOf(tab) ?? []),
  )
  const watch = new LiveWatch(changes)
  // Before any page: what rendering leaves behind is given back at any time, and would hide what the tabs hold.
  await wait(SETTLE_MS)
  const base = costOf(console.pid).memory
  const closes = await openAll(tabs, watch)
  await wait(SETTLE_MS)
  const idle = await measureIdle(streams, tabs.length, watch)
  const withThem = await pageTimes(operator)
  closes.push(...(await openAll(queueTabs, watch)))
  await measureQueue(streams, watch)
  for (const close of closes) close()
  await wait(SETTLE_MS)
  const without = await pageTimes(operator)
  await changes.stop()
  for (const { operator: of } of [...tabs, ...queueTabs]) of.close()
  operator.close()
  const times = (all: readonly number[]) => `${median(all).toFixed(1)} and ${quantile(all, 0.95).toFixed(1)} ms`
  print(`median and p95 of another page: ${times(without)} without the streams, ${times(withThem)} with them`)
  return {
    streamRequests: idle.requests,
    streamCpu: idle.cpu,
    streamMemory: (idle.memory - base) / tabs.length / 1024,
    endNoticed: quantile(watch.ends, 0.99),
    claimNoticed: quantile(watch.claims, 0.99),
    otherPages: quantile(withThem, 0.95) / quantile(without, 0.95),
  }
}

function partition<Value>(values: readonly Value[], first: (value: Value) => boolean): Value[][] {
  return [values.filter(first), values.filter((value) => !first(value))]
}

interface Taken {
  /** Of one core, in per cent. */
  readonly cpu: number
  /** A second. */
  readonly requests: number
  readonly events: number
  readonly calls: number
  /** At the end, in bytes. */
  readonly memory: number
}

/** What the process takes while something goes on. */
async function taken({ console, proxy }: Streams, watch: LiveWatch, meanwhile: Promise<void>): Promise<Taken> {
  const before = { ...costOf(console.pid), calls: proxy.calls.length, requests: watch.requests, events: watch.events }
  const began = performance.now()
  await meanwhile
  const { cpuMs, memory } = costOf(console.pid)
  const seconds = (performance.now() - began) / 1000
  return {
    cpu: (cpuMs - before.cpuMs) / seconds / 10,
    requests: (watch.requests - before.requests) / seconds,
    events: (watch.events - before.events) / seconds,
    calls: (proxy.calls.length - before.calls) / seconds,
    memory,
  }
}

async function measureIdle(streams: Streams, tabs: number, watch: LiveWatch): Promise<Taken> {
  watch.claims.length = 0
  const idle = await taken(streams, watch, endSessions(streams, watch))
  print(
    `\n${tabs} tabs in ${streams.seconds} s: ${idle.events.toFixed(1)} events/s, ${idle.calls.toFixed(1)} calls/s to the service`,
  )
  print(`${watch.claims.length} claims are told after ${median(watch.claims).toFixed(0)} ms (median)`)
  print(
    `${watch.ends.length} of ${watch.leaving.length} ends are told after ${median(watch.ends).toFixed(0)} ms (median)`,
  )
  return idle
}

/** Ends one session after the other, as another process does: the row is the session. */
async function endSessions({ db, seconds }: Streams, watch: LiveWatch): Promise<void> {
  const began = performance.now()
  const until = (share: number) => wait(Math.max(0, began + share * seconds * 1000 - performance.now()))
  for (const [at, actor] of watch.leaving.entries()) {
    await until((at + Math.random()) / (watch.leaving.length + 2))
    watch.ended.set(actor, performance.now())
    await db.deleteFrom('session').where('actor', '=', actor).execute()
  }
  await until(1)
}

/** The queue is another matter: its page asks for its rows whenever a claim may have moved them. */
async function measureQueue(streams: Streams, watch: LiveWatch): Promise<void> {
  await wait(SETTLE_MS)
  const { cpu, requests } = await taken(streams, watch, wait(QUEUE_SECONDS * 1000))
  print(`with ${QUEUE_TABS} more that show the queue: ${requests.toFixed(1)} requests/s, ${cpu.toFixed(1)} % of a core`)
}

const openAll = (tabs: readonly Tab[], watch: LiveWatch): Promise<(() => void)[]> =>
  pLimit(CLIENTS).map(tabs, (tab) => openTab(tab, watch))

/** Resolves once every topic has sent an event. */
function openTab(tab: Tab, watch: LiveWatch): Promise<() => void> {
  const pending = new Set(tab.topics)
  const isLast = (event: StreamEvent): boolean => {
    if (event.type === 'topic' && (!event.topic.startsWith('thread ') || isLive(event))) pending.delete(event.topic)
    return pending.size === 0
  }
  return tab.operator.follow(tab.topics, isLast, watch.listener(tab))
}

/** Of a page with rows, which has nothing to do with what the tabs follow. */
async function pageTimes(operator: Operator): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < PAGES + PAGES_WARM_UP; n += 1) {
    times.push((await operator.time(HISTORY)).lastByte)
    await wait(PAGE_EVERY_MS)
  }
  return times.slice(PAGES_WARM_UP)
}
