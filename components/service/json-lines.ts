/** Ends without an error if the response is cut between two lines. */
export async function* jsonLines<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  let rest = ''
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as Line
  }
}
