/** The server breaks every silence of fifteen seconds; after this long, the line is dead. */
const SILENCE_MAX_MS = 40_000

/**
 * The events of a stream as they arrive, until it ends. Throws when the line breaks, when it has been silent for so long that
 * it must have, and when an event is missing.
 */
export async function* readEvents<Event>(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let text = ''
  let latest: number | null = null
  try {
    for (;;) {
      const { done, value } = await orSilence(reader.read())
      if (done) return
      const blocks = (text + value).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        // A block without data is the sign of life.
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data === undefined) continue
        const id = Number(/^id: (\d+)$/m.exec(block)?.[1] ?? Number.NaN)
        if (latest !== null && id > latest + 1) throw new Error('an event is missing')
        latest = Number.isNaN(id) ? null : id
        yield JSON.parse(data) as Event
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
