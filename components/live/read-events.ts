import type { StreamEvent } from '#lib/domain/case-stream.ts'

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
