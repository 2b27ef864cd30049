import { afterEach, expect, test, vi } from 'vitest'
import type { StreamEvent } from '#lib/stream/stream-event.ts'
import { readEvents } from './event-stream-client.ts'

afterEach(() => {
  vi.useRealTimers()
})

const resync: StreamEvent = { type: 'resync' }
const posted: StreamEvent = {
  type: 'topic',
  topic: 'thread a',
  result: { ok: true, value: 'ünï\n\ncode: data: x' },
}

async function read(body: ReadableStream<Uint8Array>): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of readEvents<StreamEvent>(body)) events.push(event)
  return events
}

test('reads events across chunk boundaries', async () => {
  const bytes = new TextEncoder().encode(
    `id: 1\ndata: ${JSON.stringify(posted)}\n\n:\n\nid: 2\ndata: ${JSON.stringify(resync)}\n\n`,
  )
  for (let size = 1; size <= bytes.length; size += 1) {
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) return controller.close()
        controller.enqueue(bytes.slice(at, at + size))
        at += size
      },
    })
    expect(await read(body)).toEqual([posted, resync])
  }
})

test('drops an incomplete event at the end', async () => {
  const body = new Blob([`data: ${JSON.stringify(resync)}\n\ndata: {"type":"mess`]).stream()
  expect(await read(body)).toEqual([resync])
})

test('fails after forty seconds of silence', async () => {
  vi.useFakeTimers()
  const reading = read(new ReadableStream())
  const outcome = expect(reading).rejects.toThrow('silent')
  await vi.advanceTimersByTimeAsync(40_000)
  await outcome
})

test('a heartbeat keeps the stream open', async () => {
  vi.useFakeTimers()
  const { readable, writable } = new TransformStream<Uint8Array>()
  const writer = writable.getWriter()
  const reading = read(readable)
  for (let quarter = 0; quarter < 8; quarter += 1) {
    await vi.advanceTimersByTimeAsync(15_000)
    await writer.write(new TextEncoder().encode(':\n\n'))
  }
  await writer.close()
  expect(await reading).toEqual([])
})

test('fails when an event id is skipped', async () => {
  const body = new Blob([
    `id: 1\ndata: ${JSON.stringify(resync)}\n\nid: 3\ndata: ${JSON.stringify(posted)}\n\n`,
  ]).stream()
  await expect(read(body)).rejects.toThrow('an event is missing')
})
