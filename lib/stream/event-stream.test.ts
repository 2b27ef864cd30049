import { expect, test } from 'vitest'
import type { CaseEvent } from '#lib/disputes/live/case-stream.ts'
import { EventStream } from './event-stream.ts'

const event = (body: string): CaseEvent => ({
  type: 'messages',
  messages: [{ id: body, senderUserId: null, isSystemMessage: true, body, createdAt: '2026-07-01T10:00:00.0000000Z' }],
})

/** A stream with timers that the test runs. */
function open() {
  const timers = new Map<() => void, number>()
  let over = 0
  const stream = new EventStream({
    schedule(ms, run) {
      timers.set(run, ms)
      return () => timers.delete(run)
    },
    onOver() {
      over += 1
    },
  })
  const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>
  const reader = stream.body.pipeThrough(decoder).getReader()
  return {
    stream,
    reader,
    timers,
    over: () => over,
    tick() {
      for (const run of [...timers.keys()]) {
        timers.delete(run)
        run()
      }
    },
    async rest() {
      let text = ''
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return text
        text += value
      }
    },
  }
}

test('numbers events and sends them in order', async () => {
  const { stream, rest } = open()
  stream.send(event('one'))
  stream.send(event('two\n\nlines'))
  stream.end({ type: 'resync' })
  stream.send(event('too late'))
  expect(await rest()).toBe(
    [
      `id: 1\ndata: ${JSON.stringify(event('one'))}\n\n`,
      `id: 2\ndata: ${JSON.stringify(event('two\n\nlines'))}\n\n`,
      'id: 3\ndata: {"type":"resync"}\n\n',
    ].join(''),
  )
})

test('ends with resync after 256 unread events', async () => {
  const { stream, rest, over } = open()
  for (let sent = 0; sent < 300; sent += 1) stream.send(event(String(sent)))
  expect(over()).toBe(1)
  const text = await rest()
  expect(text).toMatch(/data: \{"type":"resync"\}\n\n$/)
  expect(text.length).toBeLessThan(1_000)
})

test('numbers the resync after the last event that was read', async () => {
  const { stream, reader, rest } = open()
  stream.send(event('read'))
  await reader.read()
  for (let sent = 0; sent < 300; sent += 1) stream.send(event(String(sent)))
  expect(await rest()).toBe('id: 2\ndata: {"type":"resync"}\n\n')
})

test('ends with resync after 8 MiB of unread events', async () => {
  const { stream, rest, over } = open()
  const long = 'a'.repeat(1024 * 1024)
  for (let sent = 0; sent < 20; sent += 1) stream.send(event(long))
  expect(over()).toBe(1)
  expect(await rest()).toMatch(/^id: \d+\ndata: \{"type":"resync"\}\n\n$/)
})

test('sends a single event that is larger than the buffer', async () => {
  const { stream, rest } = open()
  const long = 'a'.repeat(9 * 1024 * 1024)
  stream.send(event(long))
  stream.end({ type: 'resync' })
  expect((await rest()).length).toBeGreaterThan(long.length)
})

test.for([
  [1, 9],
  [9, 1],
] as const)('keeps %i MiB and %i MiB before a further event', async ([one, other]) => {
  const { stream, rest, over } = open()
  for (const mebibytes of [one, other]) stream.send(event('a'.repeat(mebibytes * 1024 * 1024)))
  stream.send(event('further'))
  expect(over()).toBe(0)
  stream.end({ type: 'resync' })
  expect((await rest()).length).toBeGreaterThan(10 * 1024 * 1024)
})

test('sends a heartbeat every fifteen seconds', async () => {
  const { reader, timers, tick } = open()
  const reading = reader.read()
  expect([...timers.values()]).toEqual([15_000])
  tick()
  expect((await reading).value).toBe(':\n\n')
  expect([...timers.values()]).toEqual([15_000])
})

test('ends once when the browser leaves', async () => {
  const { stream, reader, timers, over } = open()
  stream.send(event('one'))
  await reader.read()
  await reader.cancel()
  stream.send(event('two'))
  stream.end({ type: 'resync' })
  expect(over()).toBe(1)
  expect(timers.size).toBe(0)
})
