import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NewsEvent } from '#lib/news/news-event.ts'
import { NewsLine } from './news-line.ts'
import type { Way } from './way.ts'

const opened: NewsEvent = { type: 'open', id: 'feed', actor: 'mia' }
const told = (value: unknown): NewsEvent => ({ type: 'news', topic: 'home', told: { ok: true, value } })

/** How a console, or what lies before it, answers one opening of the stream. */
type Answer = readonly NewsEvent[] | 'held back' | 'no answer' | 'down' | number

interface Asked {
  readonly path: string
  readonly at: number
  readonly body: { readonly topics: readonly string[]; readonly again: readonly string[]; readonly id?: string | null }
}

/** The last answer stays open, and stands for all that come after it. */
function lineTo(answers: readonly Answer[], polls: readonly NewsEvent[][] = []) {
  const asked: Asked[] = []
  const ways: Way[] = []
  const heard: unknown[] = []
  const session = { signedIn: false as boolean | null }
  const followed = { topics: ['session', 'home'] as readonly string[] }
  let openings = 0
  let polled = 0
  const ask = async (path: string, body: unknown, signal?: AbortSignal): Promise<Response> => {
    asked.push({ path, at: Date.now(), body: body as Asked['body'] })
    if (path === '/api/news') return Response.json({ events: polls[polled++] ?? [] })
    if (path !== '/api/stream') return Response.json({ ok: true }, { status: path.endsWith('/feed') ? 200 : 404 })
    const answer = answers[Math.min(openings, answers.length - 1)]
    openings += 1
    if (answer === 'no answer') {
      return new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(signal.reason)))
    }
    if (answer === 'down') throw new TypeError('Failed to fetch')
    if (typeof answer === 'number') return new Response('{}', { status: answer })
    const stays = answer === 'held back' || openings >= answers.length
    const text =
      answer === 'held back' ? '' : (answer ?? []).map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    return new Response(
      new ReadableStream({
        start(controller) {
          if (text !== '') controller.enqueue(new TextEncoder().encode(text))
          if (!stays) controller.close()
          signal?.addEventListener('abort', () => controller.error(signal.reason))
        },
      }),
    )
  }
  const line = new NewsLine({
    topics: () => followed.topics,
    ask,
    isSignedIn: async () => {
      asked.push({ path: 'session', at: Date.now(), body: { topics: [], again: [] } })
      return session.signedIn
    },
    onNews: (news, actor) => heard.push([actor, news.told.ok && news.told.value]),
    onWay: (way) => ways.push(way),
  })
  return {
    line,
    asked,
    ways,
    heard,
    followed,
    session,
    streams: () => asked.filter(({ path }) => path === '/api/stream'),
  }
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('news come over one stream, with whose they are', async () => {
  const { heard, ways, asked } = lineTo([[opened, told(1), told(2)]])
  await wait(30_000)
  expect(ways).toEqual(['live'])
  expect(heard).toEqual([
    ['mia', 1],
    ['mia', 2],
  ])
  expect(asked.map(({ path, body }) => [path, body.topics])).toEqual([['/api/stream', ['session', 'home']]])
})

test('sends topics to the open stream, or opens another', async () => {
  const { line, asked, followed, streams } = lineTo([[opened]])
  await wait(0)
  followed.topics = ['session', 'thread 1']
  line.ask(['thread 1'])
  await wait(0)
  expect(asked.at(-1)).toMatchObject({
    path: '/api/stream/feed',
    body: { topics: followed.topics, again: ['thread 1'] },
  })
  expect(streams()).toHaveLength(1)

  const lost = lineTo([[{ ...opened, id: 'lost' }], [opened]])
  await wait(0)
  lost.line.ask([])
  await wait(10_000)
  expect(lost.streams().length).toBeGreaterThanOrEqual(2)
})

test('a stream that breaks is opened again, and all tabs are told that it is offline meanwhile', async () => {
  const { ways } = lineTo([[opened], 'down', 503, [opened]])
  await wait(10_000)
  expect(ways).toEqual(['live', 'offline', 'offline', 'offline', 'live'])
})

test('it waits longer after every failure, and never more than half a minute', async () => {
  const { streams } = lineTo(['down'])
  await wait(400_000)
  const at = streams().map((asked) => asked.at)
  const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0))
  for (const [failures, pause] of pauses.entries()) {
    const whole = Math.min(30_000, 500 * 2 ** failures)
    expect(pause).toBeGreaterThanOrEqual(Math.floor(whole / 2))
    expect(pause).toBeLessThanOrEqual(whole + 1)
  }
  expect(pauses.length).toBeGreaterThan(12)
})

test('a stream that asks for it is opened anew within a second, without a word', async () => {
  const { ways, streams } = lineTo([[opened, { type: 'resync' }], [opened]])
  await wait(1_000)
  expect([ways, streams().length]).toEqual([['live', 'live'], 2])
})

test('asks without a session only while a page is visible', async () => {
  const { line, ways, session, asked } = lineTo([401, [opened]])
  await wait(60_000)
  expect([ways, asked.map(({ path }) => path)]).toEqual([['session-over'], ['/api/stream', 'session']])
  line.tick()
  await wait(0)
  expect([ways, asked.length]).toEqual([['session-over', 'session-over'], 3])
  session.signedIn = true
  await wait(3_000)
  line.tick()
  await wait(0)
  expect(ways.at(-1)).toBe('live')
})

test.each(['held back', 'no answer'] as const)(
  'a stream that is %s gives way to a poll every five seconds, and is tried again every minute',
  async (answer) => {
    const { asked, ways, heard, streams } = lineTo([answer], [[opened, told('first')], [], [told('second')]])
    await wait(30_000)
    expect(ways[0]).toBe('polling')
    expect(heard).toEqual([
      ['mia', 'first'],
      ['mia', 'second'],
    ])
    const polls = asked.filter(({ path }) => path === '/api/news')
    expect(polls.map(({ body }) => body.id).slice(0, 2)).toEqual([null, 'feed'])
    expect(polls.slice(1).map(({ at }, index) => at - (polls[index]?.at ?? 0))).toEqual(polls.slice(1).map(() => 5_000))
    await wait(60_000)
    expect(streams()).toHaveLength(2)
  },
)

test('so does one that is cut off at once three times in a row', async () => {
  const { ways } = lineTo([[opened], [opened], [opened], [opened]], [[opened]])
  await wait(10_000)
  expect(ways.at(-1)).toBe('polling')
})

test('reports a stream as open only once it lasts', async () => {
  const { ways, streams } = lineTo(['held back', [opened], [opened]], [[opened]])
  await wait(70_000)
  expect([streams().length, new Set(ways)]).toEqual([2, new Set(['polling'])])
  await wait(60_000)
  expect([streams().length, ways.at(-1)]).toEqual([3, 'polling'])
  await wait(5_000)
  expect(ways.at(-1)).toBe('live')
})

test('while it polls, what a tab begins to follow is asked for at once', async () => {
  const { line, asked } = lineTo(['held back'], [[opened]])
  await wait(5_500)
  const before = asked.length
  line.ask(['home'])
  await wait(0)
  expect(asked.slice(before).map(({ path, body }) => [path, body.again])).toEqual([['/api/news', ['home']]])
})

test('continues with a new session, reports only a missing one', async () => {
  const closed: NewsEvent = { type: 'closed', why: 'session-over' }
  const again = lineTo([
    [opened, closed],
    [{ ...opened, actor: 'leo' }, told(1)],
  ])
  again.session.signedIn = true
  await wait(1_000)
  expect([again.ways, again.heard]).toEqual([['live', 'live'], [['leo', 1]]])
  const over = lineTo([[opened, closed], [opened]])
  await wait(1_000)
  expect([over.ways, over.streams().length]).toEqual([['live', 'session-over'], 1])
})
