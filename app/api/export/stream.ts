import type { ExportFrame } from '#lib/values/export-frame.ts'

/** An answer of one frame a line. Nothing is kept ready ahead of what is read; when the browser leaves, no more is read. */
export function streamed(frames: AsyncGenerator<ExportFrame>): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await frames.next()
        if (next.done) controller.close()
        else controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`))
      },
      async cancel() {
        await frames.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' },
  })
}
