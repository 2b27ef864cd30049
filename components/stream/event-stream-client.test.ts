import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { StreamEvent } from '#lib/stream/stream-event.ts'
import { type ConnectionState, EventStreamClient } from './event-stream-client.ts'

const opened: StreamEvent = { type: 'open', id: 'feed', actor: 'mia' }
const changed = (value: unknown): StreamEvent => ({ type: 'topic', topic: 'home', result: { ok: true, value } })

/** How the console or a proxy answers a request for the stream. */
type Answer = readonly StreamEvent[] | 'buffered' | 'unanswered' | 'down' | number

interface Sent {
  readonly path: string
  readonly at: number
  readonly body: { readonly topics: readonly string[]; readonly again: readonly string[]; readonly id?: string | null }
}

const unanswered = (signal?: AbortSignal): Promise<never> =>
  new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(signal.reason)))

/** The last answer stays open, and repeats. */
function clientOf(answers: readonly Answer[], polls: readonly (readonly StreamEvent[] | 'unanswered')[] = []) {
  const sent: Sent[] = []
  const states: ConnectionState[] = []
  const received: unknown[] = []
  const session = { signedIn: false as boolean | null | 'unanswered' }
  const subscribed = { topics: ['session', 'home'] as readonly string[] }
  let openings = 0
  let polled = 0
  const send = async (path: string, body: unknown, signal?: AbortSignal): Promise<Response> => {
    sent.push({ path, at: Date.now(), body: body as Sent['body'] })
    if (path === '/api/stream/poll') {
      const events = polls[polled++] ?? []
      return events === 'unanswered' ? await unanswered(signal) : Response.json({ events })
    }
    if (path === '/api/stream/silent') return await unanswered(signal)
    if (path !== '/api/stream') return Response.json({ ok: true }, { status: path.endsWith('/feed') ? 200 : 404 })
    const answer = answers[Math.min(openings, answers.length - 1)]
    openings += 1
    if (answer === 'unanswered') return await unanswered(signal)
    if (answer === 'down') throw new TypeError('Failed to fetch')
    if (typeof answer === 'number') return new Response('{}', { status: answer })
    const stays = answer === 'buffered' || openings >= answers.length
    const text =
      answer === 'buffered' ? '' : (answer ?? []).map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
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
  const client = new EventStreamClient({
    topics: () => subscribed.topics,
    send,
    isSignedIn: async (signal) => {
      sent.push({ path: 'session', at: Date.now(), body: { topics: [], again: [] } })
      return session.signedIn === 'unanswered' ? await unanswered(signal).catch(() => null) : session.signedIn
    },
    onEvent: ({ result }, actor) => received.push([actor, result.ok && result.value]),
    onState: (state) => states.push(state),
  })
  return {
    client,
    sent,
    states,
    received,
    subscribed,
    session,
    streams: () => sent.filter(({ path }) => path === '/api/stream'),
  }
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), ms)
    return controller.signal
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('receives events and their person over one stream', async () => {
  const { received, states, sent } = clientOf([[opened, changed(1), changed(2)]])
  await wait(30_000)
  expect(states).toEqual(['live'])
  expect(received).toEqual([
    ['mia', 1],
    ['mia', 2],
  ])
  expect(sent.map(({ path, body }) => [path, body.topics])).toEqual([['/api/stream', ['session', 'home']]])
})

test('sends changed topics to the stream, or opens a new one', async () => {
  const { client, sent, subscribed, streams } = clientOf([[opened]])
  await wait(0)
  subscribed.topics = ['session', 'thread 1']
  client.topicsChanged(['thread 1'])
  await wait(0)
  expect(sent.at(-1)).toMatchObject({
    path: '/api/stream/feed',
    body: { topics: subscribed.topics, again: ['thread 1'] },
  })
  expect(streams()).toHaveLength(1)

  const lost = clientOf([[{ ...opened, id: 'lost' }], [opened]])
  await wait(0)
  lost.client.topicsChanged([])
  await wait(10_000)
  expect(lost.streams().length).toBeGreaterThanOrEqual(2)
})

test('reports offline until a broken stream is open again', async () => {
  const { states } = clientOf([[opened], 'down', 503, [opened]])
  await wait(10_000)
  expect(states).toEqual(['live', 'offline', 'offline', 'offline', 'live'])
})

test('waits longer after each failure, up to thirty seconds', async () => {
  const { streams } = clientOf(['down'])
  await wait(400_000)
  const at = streams().map((sent) => sent.at)
  const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0))
  for (const [failures, pause] of pauses.entries()) {
    const whole = Math.min(30_000, 500 * 2 ** failures)
    expect(pause).toBeGreaterThanOrEqual(Math.floor(whole / 2))
    expect(pause).toBeLessThanOrEqual(whole + 1)
  }
  expect(pauses.length).toBeGreaterThan(12)
})

test('opens a new stream within a second of a resync', async () => {
  const { states, streams } = clientOf([[opened, { type: 'resync' }], [opened]])
  await wait(1_000)
  expect([states, streams().length]).toEqual([['live', 'live'], 2])
})

test('tries a stopping process again sooner, then less often', async () => {
  const { streams } = clientOf([[opened, { type: 'resync' }], [{ type: 'resync' }], [{ type: 'resync' }], [opened]])
  await wait(1_000 + 125 + 250)
  expect(streams()).toHaveLength(4)
  const stopping = clientOf(Array.from({ length: 100 }, (): Answer => [{ type: 'resync' }]))
  await wait(10_000)
  expect(stopping.streams().length).toBeLessThan(50)
})

test('without a session it waits for a visible page', async () => {
  const { client, states, session, sent } = clientOf([401, [opened]])
  await wait(60_000)
  expect([states, sent.map(({ path }) => path)]).toEqual([['session-over'], ['/api/stream', 'session']])
  client.tick()
  await wait(0)
  expect([states, sent.length]).toEqual([['session-over', 'session-over'], 3])
  session.signedIn = true
  await wait(3_000)
  client.tick()
  await wait(0)
  expect(states.at(-1)).toBe('live')
})

test.each(['buffered', 'unanswered'] as const)(
  'polls while a stream is %s, and tries it every minute',
  async (answer) => {
    const { sent, states, received, streams } = clientOf(
      [answer],
      [[opened, changed('first')], [], [changed('second')]],
    )
    await wait(30_000)
    expect(states[0]).toBe('polling')
    expect(received).toEqual([
      ['mia', 'first'],
      ['mia', 'second'],
    ])
    const polls = sent.filter(({ path }) => path === '/api/stream/poll')
    expect(polls.map(({ body }) => body.id).slice(0, 2)).toEqual([null, 'feed'])
    expect(polls.slice(1).map(({ at }, index) => at - (polls[index]?.at ?? 0))).toEqual(polls.slice(1).map(() => 5_000))
    await wait(60_000)
    expect(streams()).toHaveLength(2)
  },
)

test('polls after a stream was cut three times in a row', async () => {
  const { sent, states } = clientOf([[opened], [opened], [opened], [opened]], [[opened]])
  await wait(10_000)
  expect(states.at(-1)).toBe('polling')
  expect(sent.find(({ path }) => path === '/api/stream/poll')?.body.id).toBeNull()
})

test('after polling, reports live once a stream has lasted', async () => {
  const { states, streams } = clientOf(['buffered', [opened], [opened]], [[opened]])
  await wait(70_000)
  expect([streams().length, new Set(states)]).toEqual([2, new Set(['polling'])])
  await wait(60_000)
  expect([streams().length, states.at(-1)]).toEqual([3, 'polling'])
  await wait(5_000)
  expect(states.at(-1)).toBe('live')
})

test('while polling, requests a new topic at once', async () => {
  const { client, sent } = clientOf(['buffered'], [[opened]])
  await wait(5_500)
  const before = sent.length
  client.topicsChanged(['home'])
  await wait(0)
  expect(sent.slice(before).map(({ path, body }) => [path, body.again])).toEqual([['/api/stream/poll', ['home']]])
})

test('continues with a new session, and reports only its absence', async () => {
  const closed: StreamEvent = { type: 'closed', why: 'session-over' }
  const again = clientOf([
    [opened, closed],
    [{ ...opened, actor: 'leo' }, changed(1)],
  ])
  again.session.signedIn = true
  await wait(1_000)
  expect([again.states, again.received]).toEqual([['live', 'live'], [['leo', 1]]])
  const over = clientOf([[opened, closed], [opened]])
  await wait(1_000)
  expect([over.states, over.streams().length]).toEqual([['live', 'session-over'], 1])
})

test('an unanswered poll ends, and a new stream is tried', async () => {
  const { sent, states } = clientOf(['buffered', [opened]], [[opened], 'unanswered'])
  await wait(35_000)
  expect(states.slice(0, 2)).toEqual(['polling', 'offline'])
  expect(sent.slice(0, 4).map(({ path }) => path.replace('/api/', ''))).toEqual([
    'stream',
    'stream/poll',
    'stream/poll',
    'stream',
  ])
})

test('an unanswered change of topics ends the stream', async () => {
  const { client, states, streams } = clientOf([[{ ...opened, id: 'silent' }]])
  await wait(0)
  client.topicsChanged([])
  await wait(25_000)
  expect([states, streams().length]).toEqual([['live', 'offline', 'live'], 2])
})

test('reports offline if the session check is not answered', async () => {
  const { states, session } = clientOf([[opened, { type: 'closed', why: 'session-over' }], [opened]])
  session.signedIn = 'unanswered'
  await wait(5_000)
  expect(states).toEqual(['live', 'offline'])
})

test('sends topics that were announced while a stream opened', async () => {
  const { client, sent, subscribed } = clientOf([[opened]])
  subscribed.topics = ['thread 1']
  client.topicsChanged(['thread 1'])
  await wait(0)
  expect(sent.slice(1)).toMatchObject([
    { path: '/api/stream/feed', body: { topics: ['thread 1'], again: ['thread 1'] } },
  ])
})

test('asks for a new feed after a resync in a poll', async () => {
  const { sent } = clientOf(['buffered'], [[opened, { type: 'resync' }], [opened]])
  await wait(16_000)
  expect(sent.slice(1).map(({ body }) => body.id)).toEqual([null, null, 'feed'])
})

test('a tick sends nothing before the next poll is due', async () => {
  const { client, sent } = clientOf(['buffered'], [[opened]])
  await wait(5_500)
  client.tick()
  await wait(0)
  expect(sent).toHaveLength(2)
  vi.setSystemTime(Date.now() + 5_000)
  client.tick()
  await wait(0)
  expect(sent).toHaveLength(3)
})

test('reconnects at once, and then after short pauses again', async () => {
  const { client, streams } = clientOf(['down'])
  await wait(400_000)
  const before = streams().length
  client.reconnectNow()
  await wait(0)
  expect(streams()).toHaveLength(before + 1)
  await wait(500)
  expect(streams()).toHaveLength(before + 2)
})

test('reports offline when the network is lost', async () => {
  const { client, states } = clientOf([[opened]])
  await wait(0)
  client.disconnect()
  await wait(0)
  expect(states).toEqual(['live', 'offline'])
})

test('a refused stream is tried again after a minute', async () => {
  const { states, streams } = clientOf([403, [opened]])
  await wait(59_999)
  expect([states, streams().length]).toEqual([['refused'], 1])
  await wait(1)
  expect(states).toEqual(['refused', 'live'])
})
