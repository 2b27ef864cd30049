import { afterEach, beforeEach, expect, test } from 'vitest'
import { log } from '#lib/config/log.ts'
import type { AccessToken } from '#lib/session/vault/access-token.ts'
import { eventually } from '#lib/testing/eventually.ts'
import { TestHub } from '#lib/testing/test-hub.ts'
import { HubLine } from './hub-line.ts'
import type { TokenSource } from './hub-token.ts'
import { type Schedule, schedule } from './schedule.ts'

const CASE = '00000000-0000-4000-8000-0000000c0001'
const CANARY = 'canary-token'
/** Waits are a fiftieth of what they are. */
const quick: Schedule = (ms, run) => schedule(ms / 50, run)

let hub: TestHub
let line: HubLine | null = null

beforeEach(async () => {
  log().level = 'silent'
  hub = await TestHub.start()
})

afterEach(async () => {
  line?.stop()
  await hub.stop()
})

const ok = (token: string): AccessToken => ({ ok: true, token })

/** A line to the hub; `heard` is what it told, in short. */
function open(token: TokenSource = async () => ok(CANARY), later: Schedule = quick) {
  const heard: string[] = []
  line = new HubLine({
    url: `${hub.url}/hubs/disputes`,
    token,
    schedule: later,
    listener: {
      up: () => heard.push('up'),
      down: () => heard.push('down'),
      sent: (name, payload) => heard.push(`${name} ${JSON.stringify(payload)}`),
    },
  })
  return { line, heard, until: (...what: string[]) => eventually(() => expect(heard).toEqual(what)) }
}

test('the token travels in a header, and no address has one', async () => {
  const { until } = open()
  await until('up')
  expect(hub.upgrades).toEqual([{ url: '/hubs/disputes', authorization: `Bearer ${CANARY}` }])
})

test('calls are answered, refused, or given up', async () => {
  const { line: opened, until } = open()
  expect(await opened.call('JoinCase', CASE)).toBe(false)
  await until('up')
  expect(await opened.call('JoinCase', CASE)).toBe(true)
  hub.rules.answer = () => 'You are no party.'
  expect(await opened.call('JoinCase', CASE)).toBe(false)
  hub.rules.answer = () => 'silence'
  expect(await opened.call('LeaveCase', CASE)).toBe(false)
  expect(hub.calls).toEqual([`JoinCase ${CASE}`, `JoinCase ${CASE}`, `LeaveCase ${CASE}`])
})

test('events are told as they come', async () => {
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
  ['brings too much at once', () => hub.send('MessagePosted', 'x'.repeat(300_000))],
])('a line that %s comes back under another number', async (_what, breakIt) => {
  const { line: opened, until } = open()
  await until('up')
  const before = opened.connection
  breakIt()
  await until('up', 'down', 'up')
  expect(opened.connection).not.toBe(before)
  expect(await opened.call('JoinCase', CASE)).toBe(true)
})

test('a hub that is not there at first is found when it comes', async () => {
  hub.rules.admit = () => 503
  const { line: opened, until } = open()
  expect(opened.beginning).toBe(true)
  await until('down')
  expect([opened.beginning, opened.connection]).toEqual([false, null])
  await eventually(() => expect(hub.upgrades.length).toBeGreaterThan(3))
  hub.rules.admit = () => 101
  await until('down', 'up')
})

test('a token that the hub refuses is renewed', async () => {
  hub.rules.admit = (token) => (token === 'renewed' ? 101 : 401)
  const asked: (string | null)[] = []
  const { until } = open(async (rejected) => {
    asked.push(rejected)
    return ok(rejected === null ? 'old' : 'renewed')
  })
  await until('down', 'up')
  expect(asked).toEqual([null, 'old'])
})

test('a hub that refuses every token is not the reason to renew them again and again', async () => {
  hub.rules.admit = () => 401
  let current = 0
  open(async (rejected) => {
    if (rejected !== null) current += 1
    return ok(`token ${current}`)
  })
  await eventually(() => expect(hub.upgrades.length).toBeGreaterThan(5))
  expect(current).toBe(1)
})

test('a call that is refused on an older token is a reason to come back with the new one', async () => {
  let current = 'old'
  hub.rules.answer = () => (current === 'old' ? 'The token expired.' : null)
  const { line: opened, until } = open(async () => ok(current))
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

test('without a token there is no attempt, and with the end of the session there is no more', async () => {
  const answers: AccessToken[] = [{ ok: false, why: 'unavailable' }, ok(CANARY), { ok: false, why: 'over' }]
  let asked = 0
  const { until } = open(async () => {
    asked += 1
    return answers[asked - 1] ?? ok('more than the session had')
  })
  await until('down', 'up')
  hub.cut()
  await until('down', 'up', 'down')
  expect([asked, hub.upgrades.length]).toEqual([3, 1])
})

test('a store that is out for a moment ends nothing', async () => {
  let asked = 0
  const { until } = open(async () => {
    asked += 1
    if (asked === 1) throw new Error('the store is out')
    return ok(CANARY)
  })
  await until('down', 'up')
})

test('a line that is stopped hangs up, stays away and tells nothing more', async () => {
  const { line: opened, heard, until } = open()
  await until('up')
  opened.stop()
  await eventually(() => expect(hub.connections).toBe(0))
  expect(hub.upgrades).toHaveLength(1)
  expect(heard).toEqual(['up'])
})

test('a line that is stopped between two attempts makes no other', async () => {
  hub.rules.admit = () => 503
  const waiting: (() => void)[] = []
  const { line: opened, until } = open(undefined, (_ms, run) => {
    waiting.push(run)
    return () => {}
  })
  await until('down')
  opened.stop()
  for (const run of waiting) run()
  await opened.call('JoinCase', CASE)
  expect(hub.upgrades).toHaveLength(1)
})
