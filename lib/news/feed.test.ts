import { expect, test } from 'vitest'
import { problemOf } from '#lib/contract/problem-of.ts'
import { SessionRelay } from '#lib/disputes/live/session-relay.ts'
import { Session } from '#lib/session/session.ts'
import { plainBehaviour, SimulatedDisputes } from '#lib/testing/simulated-disputes.ts'
import { Feed } from './feed.ts'
import type { Told, TopicNews } from './news-event.ts'
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

const FORBIDDEN: Told = { ok: false, problem: problemOf('service', { status: 403 }) }

/** Lets everything that waits for a promise run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await null
}

type Open = (param: string, tell: (told: Told) => void) => () => void

interface World {
  readonly open: Open
  readonly refused?: () => Promise<Told | null>
  readonly mostPerSession?: number
  readonly onNews?: (news: TopicNews, feed: Feed) => void
}

/** Feeds of one session with the stream topic `case`. */
function world({ open, refused = async () => null, mostPerSession = Infinity, onNews = () => {} }: World) {
  const topic: Topic = {
    takes: () => true,
    refused,
    mostPerSession,
    source: { kind: 'stream', open: (_session, param, tell) => open(param, tell) },
  }
  const topics: Topics = new Map([['case', topic]])
  const feeds: Feed[] = []
  const timers = new Set<() => void>()
  return {
    timers,
    feed() {
      const news: TopicNews[] = []
      const feed = new Feed({
        session,
        topics,
        schedule: (_ms, run) => {
          timers.add(run)
          return () => void timers.delete(run)
        },
        tell: (one) => {
          news.push(one)
          onNews(one, feed)
        },
        followedUnder: (name) => new Set(feeds.flatMap((one) => one.followedUnder(name))),
      })
      feeds.push(feed)
      return { feed, news }
    },
  }
}

/** A source that counts what is open. */
function counted(onOpen: (param: string, tell: (told: Told) => void) => void = () => {}) {
  const counts = { opened: 0, open: 0 }
  const open: Open = (param, tell) => {
    counts.opened += 1
    counts.open += 1
    onOpen(param, tell)
    return () => {
      counts.open -= 1
    }
  }
  return { counts, open }
}

const ok = (value: unknown): Told => ({ ok: true, value })

test('stops a source that ends its feed while it opens', async () => {
  const { counts, open } = counted((_param, tell) => tell(ok('status')))
  const { feed } = world({ open, onNews: (_news, of) => of.stop() }).feed()
  feed.ask({ topics: ['case 1', 'case 2', 'case 3'] })
  await settle()
  expect(counts).toEqual({ opened: 1, open: 0 })
})

test('opens nothing once it has ended, while access is judged', async () => {
  const judged = Promise.withResolvers<null>()
  const { counts, open } = counted()
  const { feed } = world({ open, refused: () => judged.promise }).feed()
  feed.ask({ topics: ['case 1'] })
  feed.stop()
  judged.resolve(null)
  await settle()
  feed.ask({ topics: ['case 2'] })
  await settle()
  expect(counts).toEqual({ opened: 0, open: 0 })
})

test('follows no further topic after one that ended it', async () => {
  const { counts, open } = counted()
  const { feed, news } = world({ open, onNews: (_news, of) => of.stop() }).feed()
  feed.ask({ topics: ['nothing', 'case 1', 'case 2'] })
  await settle()
  expect([counts.opened, news.map(({ topic }) => topic)]).toEqual([0, ['nothing']])
})

test('waits no longer for its topics once it has ended', async () => {
  const { timers, feed } = world({ open: () => () => {} })
  const one = feed().feed
  one.ask({ topics: ['case 1'] })
  const told = one.told(3_000)
  one.stop()
  await told
  await one.told(3_000)
  expect(timers.size).toBe(0)
})

test('reads no value for a topic that was dropped meanwhile', async () => {
  const judged = Promise.withResolvers<Told | null>()
  let reads = 0
  const value: Topic = {
    takes: () => true,
    refused: () => judged.promise,
    mostPerSession: Infinity,
    source: {
      kind: 'value',
      pauseMs: 0,
      readingsAtOnce: 1,
      keys: () => [],
      read: async () => {
        reads += 1
        return { told: ok(1) }
      },
    },
  }
  const feed = new Feed({
    session,
    topics: new Map([['value', value]]),
    schedule: () => () => {},
    tell: () => {},
    followedUnder: () => new Set(),
  })
  feed.ask({ topics: ['value'] })
  feed.ask({ topics: [] })
  judged.resolve(null)
  await settle()
  expect(reads).toBe(0)
  feed.stop()
})

test('bounds a topic per session, until another one is dropped', async () => {
  const { counts, open } = counted()
  const { feed } = world({ open, mostPerSession: 2 })
  const [first, second] = [feed(), feed()]
  first.feed.ask({ topics: ['case 1', 'case 2'] })
  second.feed.ask({ topics: ['case 2', 'case 3'] })
  await settle()
  expect(counts.open).toBe(3)
  expect(second.news).toEqual([
    { type: 'news', topic: 'case 3', told: { ok: false, problem: expect.objectContaining({ status: 429 }) } },
  ])
  first.feed.ask({ topics: ['case 2'] })
  second.feed.ask({ topics: ['case 2', 'case 3'] })
  await settle()
  expect([counts.open, second.news.length]).toEqual([3, 1])
})

test('leaves nothing behind 200 browsers that went away', async () => {
  const disputes = new SimulatedDisputes(plainBehaviour)
  const relay = new SessionRelay({
    openHub: disputes.hub.open,
    service: disputes.service,
    schedule: disputes.schedule,
  })
  const judgements: (() => void)[] = []
  const { feed } = world({
    open: (param, tell) => relay.watch(param, (event) => tell(ok(event))),
    refused: () => new Promise((judged) => judgements.push(() => judged(null))),
    // Every third browser is gone as soon as it is sent anything.
    onNews: (_news, of) => feeds.indexOf(of) % 3 === 2 && of.stop(),
  })
  const feeds: Feed[] = []
  for (let browser = 0; browser < 200; browser += 1) {
    const one = feed().feed
    feeds.push(one)
    one.ask({ topics: Array.from({ length: 4 }, (_, n) => `case ${browser}-${n}`) })
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
  // The line to the hub is kept for a while, for the next case; then nothing is left.
  expect(disputes.nextTimer).toBe(60_000)
  disputes.tick()
  await settle()
  expect([disputes.nextTimer, disputes.waiting.length]).toEqual([null, 0])
})

test('tells why the person may not follow a topic', async () => {
  const { feed, news } = world({ open: () => () => {}, refused: async () => FORBIDDEN }).feed()
  feed.ask({ topics: ['case 1'] })
  await settle()
  expect(news.map(({ told }) => told)).toEqual([FORBIDDEN])
})
