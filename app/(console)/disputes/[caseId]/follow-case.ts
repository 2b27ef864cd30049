import type { CaseEvent, StreamEvent } from '#lib/disputes/live/case-stream.ts'
import { retryDelayMs } from '#lib/values/retry-delay.ts'

/**
 * Why there is no stream. `offline`: the console does not answer. The others do not come back by themselves. `paused`: other
 * tabs have taken its place. `session-over`: nobody is signed in. `refused`: the console gives none.
 */
export type Away = 'offline' | 'paused' | 'session-over' | 'refused'

export type CaseNews = CaseEvent | { readonly type: 'opening' | Away }

export interface Following {
  /** Asks for the stream. */
  open(signal: AbortSignal): Promise<Response>
  onNews(news: CaseNews): void
  /** Ends it all. */
  readonly signal: AbortSignal
}

/** A whole console that starts anew is not asked by all its tabs in the same moment. */
const RESYNC_WITHIN_MS = 1_000

/**
 * Follows a stream, and opens it again whenever it breaks, until the signal. Ends by itself when the console does not want
 * it to come back.
 */
export async function followCase({ open, onNews, signal }: Following): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    onNews({ type: 'opening' })
    const end = await listen(open, signal, (event) => {
      failures = 0
      onNews(event)
    })
    if (signal.aborted) return
    if (end === 'resync') {
      await pause(Math.random() * RESYNC_WITHIN_MS, signal)
      continue
    }
    onNews({ type: end })
    if (end !== 'offline') return
    await pause(retryDelayMs(failures, Math.random()), signal)
    failures += 1
  }
}

/** One stream, from its opening to its end, however that comes. */
async function listen(
  open: Following['open'],
  signal: AbortSignal,
  onNews: (event: CaseEvent) => void,
): Promise<'resync' | Away> {
  try {
    const response = await open(signal)
    if (response.status === 401) return 'session-over'
    if (!response.ok || response.body === null) return response.status < 500 ? 'refused' : 'offline'
    for await (const event of readEvents(response.body)) {
      if (event.type === 'resync') return 'resync'
      if (event.type === 'closed') return event.why === 'too-many-streams' ? 'paused' : 'session-over'
      if (!signal.aborted) onNews(event)
    }
  } catch {
    // The line broke, or the console does not answer.
  }
  return 'offline'
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      done()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish)
  })
}

/** The server breaks every silence of fifteen seconds; after this long, the line is dead. */
const SILENCE_MAX_MS = 40_000

/**
 * The events of a stream as they arrive, until it ends. Throws when the line breaks, or has been silent for so long that it
 * must have.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await orSilence(reader.read())
      if (done) return
      const blocks = (text + value).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = block.split('\n').find((line) => line.startsWith('data: '))
        // A block without data is the sign of life.
        if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as StreamEvent
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function orSilence<Value>(reading: Promise<Value>): Promise<Value> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error('the line is silent')), SILENCE_MAX_MS)
    reading.then(done, fail).finally(() => clearTimeout(timer))
  })
}
