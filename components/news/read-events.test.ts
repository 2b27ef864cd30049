import { afterEach, expect, test, vi } from 'vitest'
import type { NewsEvent } from '#lib/news/news-event.ts'
import { readEvents } from './read-events.ts'

afterEach(() => {
  vi.useRealTimers()
})

const resync: NewsEvent = { type: 'resync' }
const posted: NewsEvent = {
  type: 'news',
  topic: 'thread a',
  told: { ok: true, value: 'ünï\n\ncode: data: x' },
}

async function read(body: ReadableStream<Uint8Array>): Promise<readonly NewsEvent[]> {
  const events: NewsEvent[] = []
  for await (const event of readEvents<NewsEvent>(body)) events.push(event)
  return events
}

test('events come whole, wherever the line cuts them', async () => {
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

test('an event that is cut off at the end is none', async () => {
  const body = new Blob([`data: ${JSON.stringify(resync)}\n\ndata: {"type":"mess`]).stream()
  expect(await read(body)).toEqual([resync])
})

test('a line that is silent for forty seconds is dead', async () => {
  vi.useFakeTimers()
  const reading = read(new ReadableStream())
  const outcome = expect(reading).rejects.toThrow('silent')
  await vi.advanceTimersByTimeAsync(40_000)
  await outcome
})

test('a sign of life keeps it', async () => {
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

test('where an event is missing, the rest is none', async () => {
  const body = new Blob([
    `id: 1\ndata: ${JSON.stringify(resync)}\n\nid: 3\ndata: ${JSON.stringify(posted)}\n\n`,
  ]).stream()
  await expect(read(body)).rejects.toThrow('an event is missing')
})
