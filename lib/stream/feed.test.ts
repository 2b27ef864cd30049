import { expect, test, vi } from 'vitest'
import { refusalProblem } from '#lib/authorization/judge.ts'
import { problemOf } from '#lib/contract/problem-of.ts'
import { SessionRelay } from '#lib/disputes/live/session-relay.ts'
import { Session } from '#lib/session/session.ts'
import { plainBehaviour, SimulatedDisputes } from '#lib/testing/simulated-disputes.ts'
import { Feed } from './feed.ts'
import type { TopicEvent, TopicResult } from './stream-event.ts'
import type { Topic, Topics } from './topic.ts'

const facts = { id: 's', actor: 'mia', displayName: 'mia', userId: 'u', method: 'sso', admittedBy: 'claim' } as const
const at = '2026-07-01T10:00:00.000Z'
const session = new Session(
  { ...facts, adminByClaim: false, endsAt: at, lastActiveAt: at } as never,
  Buffer.alloc(32),
  {
    idHash: '',
    isReplaced: false,
  },
)

const FORBIDDEN: TopicResult = { ok: false, problem: problemOf('service', { status: 403 }) }

/** Runs everything that waits for a promise. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await null
}

type Open = (param: string, send: (result: TopicResult) => void) => () => void

interface World {
  readonly open: Open
  readonly refusalOf?: () => Promise<TopicResult | null>
  readonly maxPerSession?: number
  readonly onEvent?: (event: TopicEvent, feed: Feed) => void
}

/** Feeds of one session with the stream topic `case`. */
function world({ open, refusalOf = async () => null, maxPerSession = Infinity, onEvent = () => {} }: World) {
  const topic: Topic = {
    accepts: () => true,
    refusalOf,
    maxPerSession,
    source: { kind: 'stream', open: (_session, param, send) => open(param, send) },
  }
  const topics: Topics = new Map([['case', topic]])
  const feeds: Feed[] = []
  const timers = new Set<() => void>()
  return {
    timers,
    feed() {
      const events: TopicEvent[] = []
      const feed = new Feed({
        session,
        topics,
        schedule: (_ms, run) => {
          timers.add(run)
          return () => void timers.delete(run)
        },
        send: (event) => {
          events.push(event)
          onEvent(event, feed)
        },
        topicsOfSession: (name) => new Set(feeds.flatMap((one) => one.topicsNamed(name))),
      })
      feeds.push(feed)
      return { feed, events }
    },
  }
}

/** A source that counts what is open. */
function counted(onOpen: (param: string, send: (result: TopicResult) => void) => void = () => {}) {
  const counts = { opened: 0, open: 0 }
  const open: Open = (param, send) => {
    counts.opened += 1
    counts.open += 1
    onOpen(param, send)
    return () => {
      counts.open -= 1
    }
  }
  return { counts, open }
}

const ok = (value: unknown): TopicResult => ({ ok: true, value })

test('stops a source that ends its feed while it opens', async () => {
  const { counts, open } = counted((_param, send) => send(ok('status')))
  const { feed } = world({ open, onEvent: (_event, of) => of.stop() }).feed()
  feed.setTopics({ topics: ['case 1', 'case 2', 'case 3'] })
  await settle()
  expect(counts).toEqual({ opened: 1, open: 0 })
})

test('opens nothing after its end', async () => {
  const judged = Promise.withResolvers<null>()
  const { counts, open } = counted()
  const { feed } = world({ open, refusalOf: () => judged.promise }).feed()
  feed.setTopics({ topics: ['case 1'] })
  feed.stop()
  judged.resolve(null)
  await settle()
  feed.setTopics({ topics: ['case 2'] })
  await settle()
  expect(counts).toEqual({ opened: 0, open: 0 })
})

test('opens no further topic after one that ended it', async () => {
  const { counts, open } = counted()
  const { feed, events } = world({ open, onEvent: (_event, of) => of.stop() }).feed()
  feed.setTopics({ topics: ['nothing', 'case 1', 'case 2'] })
  await settle()
  expect([counts.opened, events.map(({ topic }) => topic)]).toEqual([0, ['nothing']])
})

test('stops waiting for its topics when it ends', async () => {
  const { timers, feed } = world({ open: () => () => {} })
  const one = feed().feed
  one.setTopics({ topics: ['case 1'] })
  const complete = one.complete(3_000)
  one.stop()
  await complete
  await one.complete(3_000)
  expect(timers.size).toBe(0)
})

test('does not read a topic that was dropped', async () => {
  const judged = Promise.withResolvers<TopicResult | null>()
  let reads = 0
  const value: Topic = {
    accepts: () => true,
    refusalOf: () => judged.promise,
    maxPerSession: Infinity,
    source: {
      kind: 'value',
      pauseMs: 0,
      maxReads: 1,
      keys: () => [],
      read: async () => {
        reads += 1
        return { result: ok(1) }
      },
    },
  }
  const feed = new Feed({
    session,
    topics: new Map([['value', value]]),
    schedule: () => () => {},
    send: () => {},
    topicsOfSession: () => new Set(),
  })
  feed.setTopics({ topics: ['value'] })
  feed.setTopics({ topics: [] })
  judged.resolve(null)
  await settle()
  expect(reads).toBe(0)
  feed.stop()
})

test('reads a topic again once scopes can be read', async () => {
  const unread = { scopes: [], known: false } as const
  const refusals: TopicResult[] = [{ ok: false, problem: refusalProblem(unread) }]
  const timers: { readonly ms: number; readonly run: () => void }[] = []
  const results: TopicResult[] = []
  const value: Topic = {
    accepts: () => true,
    refusalOf: async () => refusals.shift() ?? null,
    maxPerSession: Infinity,
    source: { kind: 'value', pauseMs: 0, maxReads: 1, keys: () => [], read: async () => ({ result: ok(1) }) },
  }
  const feed = new Feed({
    session,
    topics: new Map([['value', value]]),
    schedule: (ms, run) => {
      timers.push({ ms, run })
      return () => {}
    },
    send: ({ result }) => results.push(result),
    topicsOfSession: () => new Set(),
  })
  feed.setTopics({ topics: ['value'] })
  await settle()
  expect(timers.map(({ ms }) => ms)).toEqual([5_000])
  timers[0]?.run()
  await settle()
  expect(results.map((result) => result.ok)).toEqual([false, true])
  feed.stop()
})

test.each<[string, () => Promise<TopicResult>]>([
  ['scopes can be read', async () => ({ ok: false, problem: refusalProblem({ scopes: [], known: false }) })],
  ['a failure is over', () => Promise.reject(new Error('the store is away'))],
])('opens a stream again once %s', async (_when, fail) => {
  const { counts, open } = counted((_param, send) => send(ok('open')))
  const answers = [fail, async () => null, fail]
  const { timers, feed: newFeed } = world({ open, refusalOf: async () => (await answers.shift()?.()) ?? null })
  const { feed, events } = newFeed()
  feed.setTopics({ topics: ['case 1'] })
  await settle()
  expect(counts.opened).toBe(0)
  for (const run of timers) run()
  await settle()
  expect(events.map(({ result }) => result.ok)).toEqual([false, true])
  timers.clear()
  feed.setTopics({ topics: ['case 1'], again: ['case 1'] })
  await settle()
  expect([counts.open, timers.size]).toEqual([0, 1])
  feed.stop()
  expect(timers.size).toBe(0)
})

test('reads within its pause after the clock was set back', async () => {
  const [delays, wakes]: [number[], (() => void)[]] = [[], []]
  const value: Topic = {
    accepts: () => true,
    refusalOf: async () => null,
    maxPerSession: Infinity,
    source: {
      kind: 'value',
      pauseMs: 250,
      maxReads: 1,
      keys: () => [],
      read: async () => ({ result: ok(1) }),
      listen(_of, wake) {
        wakes.push(wake)
        return () => {}
      },
    },
  }
  const feed = new Feed({
    session,
    topics: new Map([['value', value]]),
    schedule: (ms) => {
      delays.push(ms)
      return () => {}
    },
    send: () => {},
    topicsOfSession: () => new Set(),
  })
  feed.setTopics({ topics: ['value'] })
  await settle()
  vi.setSystemTime(Date.now() - 60_000)
  wakes[0]?.()
  vi.useRealTimers()
  expect(delays).toEqual([250])
  feed.stop()
})

test('reads again once it listens to further keys', async () => {
  const delays: number[] = []
  const value: Topic = {
    accepts: () => true,
    refusalOf: async () => null,
    maxPerSession: Infinity,
    source: {
      kind: 'value',
      pauseMs: 250,
      maxReads: 1,
      keys: () => [],
      read: async () => ({ result: ok(1), keys: ['further'] }),
    },
  }
  const feed = new Feed({
    session,
    topics: new Map([['value', value]]),
    schedule: (ms) => {
      delays.push(ms)
      return () => {}
    },
    send: () => {},
    topicsOfSession: () => new Set(),
  })
  feed.setTopics({ topics: ['value'] })
  await settle()
  feed.stop()
  expect(delays).toEqual([250])
})

test('limits a topic per session, until another is dropped', async () => {
  const { counts, open } = counted()
  const { feed } = world({ open, maxPerSession: 2 })
  const [first, second] = [feed(), feed()]
  first.feed.setTopics({ topics: ['case 1', 'case 2'] })
  second.feed.setTopics({ topics: ['case 2', 'case 3'] })
  await settle()
  expect(counts.open).toBe(3)
  expect(second.events).toEqual([
    { type: 'topic', topic: 'case 3', result: { ok: false, problem: expect.objectContaining({ status: 429 }) } },
  ])
  first.feed.setTopics({ topics: ['case 2'] })
  second.feed.setTopics({ topics: ['case 2', 'case 3'] })
  await settle()
  expect([counts.open, second.events.length]).toEqual([3, 1])
})

test('leaves nothing behind after 200 browsers', async () => {
  const disputes = new SimulatedDisputes(plainBehaviour)
  const relay = new SessionRelay({
    openHub: disputes.hub.open,
    service: disputes.service,
    schedule: disputes.schedule,
  })
  const judgements: (() => void)[] = []
  const { feed } = world({
    open: (param, send) => relay.watch(param, (event) => send(ok(event))),
    refusalOf: () => new Promise((judged) => judgements.push(() => judged(null))),
    // Every third browser leaves at its first event.
    onEvent: (_event, of) => feeds.indexOf(of) % 3 === 2 && of.stop(),
  })
  const feeds: Feed[] = []
  for (let browser = 0; browser < 200; browser += 1) {
    const one = feed().feed
    feeds.push(one)
    one.setTopics({ topics: Array.from({ length: 4 }, (_, n) => `case ${browser}-${n}`) })
    if (browser % 3 === 0) one.stop()
    for (const judge of judgements.splice(0)) judge()
    await settle()
  }
  disputes.hub.connect()
  await settle()
  expect(disputes.waiting.length).toBeGreaterThan(0)
  for (const one of feeds) one.stop()
  while (disputes.waiting.length > 0) {
    for (const waiting of disputes.waiting.splice(0)) waiting.answer()
    await settle()
  }
  // The hub connection is kept for a minute, for the next case.
  expect(disputes.nextTimer).toBe(60_000)
  disputes.tick()
  await settle()
  expect([disputes.nextTimer, disputes.waiting.length]).toEqual([null, 0])
})

test('sends why the person may not subscribe', async () => {
  const { feed, events } = world({ open: () => () => {}, refusalOf: async () => FORBIDDEN }).feed()
  feed.setTopics({ topics: ['case 1'] })
  await settle()
  expect(events.map(({ result }) => result)).toEqual([FORBIDDEN])
})
