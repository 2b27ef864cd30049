/** The server sends something at least every 15 seconds. */
const SILENCE_MAX_MS = 40_000

/** Throws when the connection breaks, is silent too long, or skips an event id. */
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
        // A block without data is a heartbeat.
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
