import { afterEach, beforeEach, expect, test } from 'vitest'
import { log } from '#lib/config/log.ts'
import type { AccessToken } from '#lib/session/vault/access-token.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { TestHub } from '#lib/testing/test-hub.ts'
import type { TokenSource } from './hub-connection.ts'
import { HubConnection } from './hub-connection.ts'
import { type Schedule, schedule } from './schedule.ts'

const CASE = '00000000-0000-4000-8000-0000000c0001'
const PING_EVERY_MS = 4_000
const CANARY = 'canary-token'
/** Waits are a fiftieth of what they are. */
const quick: Schedule = (ms, run) => schedule(ms / 50, run)

let hub: TestHub
let connection: HubConnection | null = null

beforeEach(async () => {
  log().level = 'silent'
  hub = await TestHub.start()
})

afterEach(async () => {
  connection?.stop()
  await hub.stop()
})

const ok = (token: string): AccessToken => ({ ok: true, token })

/** `events` is what the listener received, in short. */
function open(token: TokenSource = async () => ok(CANARY), later: Schedule = quick) {
  const events: string[] = []
  connection = new HubConnection({
    url: `${hub.url}/hubs/disputes`,
    token,
    schedule: later,
    listener: {
      connected: () => events.push('up'),
      disconnected: () => events.push('down'),
      received: (name, payload) => events.push(`${name} ${JSON.stringify(payload)}`),
    },
  })
  return { connection, events, until: (...expected: string[]) => eventually(() => expect(events).toEqual(expected)) }
}

test('sends the token in a header, not in the address', async () => {
  const { until } = open()
  await until('up')
  expect(hub.upgrades).toEqual([{ url: '/hubs/disputes', authorization: `Bearer ${CANARY}` }])
})

test('calls succeed, are refused, or time out', async () => {
  const { connection: opened, until } = open()
  expect(await opened.call('JoinCase', CASE)).toBe(false)
  await until('up')
  expect(await opened.call('JoinCase', CASE)).toBe(true)
  hub.rules.answer = () => 'You are no party.'
  expect(await opened.call('JoinCase', CASE)).toBe(false)
  hub.rules.answer = () => 'silence'
  expect(await opened.call('LeaveCase', CASE)).toBe(false)
  expect(hub.calls).toEqual([`JoinCase ${CASE}`, `JoinCase ${CASE}`, `LeaveCase ${CASE}`])
})

test('passes on known events as they arrive', async () => {
  const { until } = open()
  await until('up')
  hub.send('MessagePosted', { id: 1 }, 'another argument')
  hub.send('SomethingNew', 2)
  hub.send('CaseResolved')
  await until('up', 'MessagePosted {"id":1}', 'CaseResolved undefined')
})

test.each([
  ['is cut', () => hub.cut()],
  ['is closed for good', () => hub.sayGoodbye()],
  ['sends too much at once', () => hub.send('MessagePosted', 'x'.repeat(300_000))],
])('a connection that %s reconnects under another number', async (_what, breakIt) => {
  const { connection: opened, until } = open()
  await until('up')
  const before = opened.connection
  breakIt()
  await until('up', 'down', 'up')
  expect(opened.connection).not.toBe(before)
  expect(await opened.call('JoinCase', CASE)).toBe(true)
})

test('waits longer for a hub that ends each connection at once', async () => {
  const pauses: number[] = []
  const { events } = open(undefined, (ms, run) => {
    pauses.push(ms)
    return quick(ms, run)
  })
  for (const times of [1, 2, 3, 4, 5]) {
    await eventually(() => expect(events.filter((event) => event === 'up')).toHaveLength(times))
    hub.cut()
  }
  await eventually(() => expect(events.filter((event) => event === 'down')).toHaveLength(5))
  await eventually(() => expect(Math.max(...pauses)).toBeGreaterThan(PING_EVERY_MS))
})

test('notices a silent line within fifteen seconds', async () => {
  let elapsedMs = 0
  const counted: Schedule = (ms, run) =>
    quick(ms, () => {
      if (!events.includes('down')) elapsedMs += ms
      run()
    })
  const { events, until } = open(undefined, counted)
  await until('up')
  await eventually(() => expect(hub.pings).toBeGreaterThan(2))
  elapsedMs = 0
  hub.fallSilent()
  await until('up', 'down', 'up')
  expect(elapsedMs).toBeLessThanOrEqual(15_000)
})

test('leaves a line open whose hub answers no pings', async () => {
  await hub.stop()
  hub = await TestHub.start({ answersPings: false })
  const { until } = open()
  await until('up')
  await eventually(() => expect(hub.pings).toBeGreaterThan(6))
  await until('up')
})

test('connects to a hub that starts later', async () => {
  hub.rules.admit = () => 503
  const { connection: opened, until } = open()
  expect(opened.isFirstAttempt).toBe(true)
  await until('down')
  expect([opened.isFirstAttempt, opened.connection]).toEqual([false, null])
  await eventually(() => expect(hub.upgrades.length).toBeGreaterThan(3))
  hub.rules.admit = () => 101
  await until('down', 'up')
})

test('renews a token that the hub refuses', async () => {
  hub.rules.admit = (token) => (token === 'renewed' ? 101 : 401)
  const requests: (string | null)[] = []
  const { until } = open(async (rejected) => {
    requests.push(rejected)
    return ok(rejected === null ? 'old' : 'renewed')
  })
  await until('down', 'up')
  expect(requests).toEqual([null, 'old'])
})

test('renews only once for a hub that refuses every token', async () => {
  hub.rules.admit = () => 401
  let current = 0
  open(async (rejected) => {
    if (rejected !== null) current += 1
    return ok(`token ${current}`)
  })
  await eventually(() => expect(hub.upgrades.length).toBeGreaterThan(5))
  expect(current).toBe(1)
})

test('reconnects when a call fails and the token is old', async () => {
  let current = 'old'
  hub.rules.answer = () => (current === 'old' ? 'The token expired.' : null)
  const { connection: opened, until } = open(async () => ok(current))
  await until('up')
  expect(await opened.call('JoinCase', CASE)).toBe(false)
  expect(hub.connections).toBe(1)
  hub.rules.answer = () => (hub.upgrades.length === 1 ? 'The token expired.' : null)
  current = 'new'
  expect(await opened.call('JoinCase', CASE)).toBe(false)
  await until('up', 'down', 'up')
  expect(await opened.call('JoinCase', CASE)).toBe(true)
  expect(hub.upgrades.map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new'])
})

test('does not connect without a token or after the session', async () => {
  const answers: AccessToken[] = [{ ok: false, why: 'unavailable' }, ok(CANARY), { ok: false, why: 'over' }]
  let requests = 0
  const { until } = open(async () => {
    requests += 1
    return answers[requests - 1] ?? ok('more than the session had')
  })
  await until('down', 'up')
  hub.cut()
  await until('down', 'up', 'down')
  await eventually(() => expect([requests, hub.upgrades.length]).toEqual([3, 1]))
})

test('survives a store failure', async () => {
  let requests = 0
  const { until } = open(async () => {
    requests += 1
    if (requests === 1) throw new Error('the store is out')
    return ok(CANARY)
  })
  await until('down', 'up')
})

test('closes when stopped, and stays closed', async () => {
  const { connection: opened, events, until } = open()
  await until('up')
  opened.stop()
  await eventually(() => expect(hub.connections).toBe(0))
  expect(hub.upgrades).toHaveLength(1)
  expect(events).toEqual(['up'])
})

test('makes no attempt after a stop between two attempts', async () => {
  hub.rules.admit = () => 503
  const waiting: (() => void)[] = []
  const { connection: opened, until } = open(undefined, (_ms, run) => {
    waiting.push(run)
    return () => {}
  })
  await until('down')
  opened.stop()
  for (const run of waiting) run()
  await opened.call('JoinCase', CASE)
  expect(hub.upgrades).toHaveLength(1)
})
