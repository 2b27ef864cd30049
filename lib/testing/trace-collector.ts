import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as a collector gets it. */
export interface Collected {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly links?: readonly { readonly traceId: string }[]
  readonly attributes: Readonly<Record<string, unknown>>
}

interface Value {
  readonly stringValue?: string
  readonly intValue?: number
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly (Omit<Collected, 'attributes'> & Attributes)[] }[]
  }[]
}

interface Attributes {
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
}

/** Takes traces as OTLP in JSON over HTTP, and keeps what came word for word. */
export async function startTraceCollector() {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    bodies.push(Buffer.concat(parts).toString('utf8'))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    text: (): string => bodies.join('\n'),
    spans: (): readonly Collected[] => bodies.flatMap(spansIn),
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const spansIn = (body: string): Collected[] =>
  (JSON.parse(body) as Sent).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, ...span }) => ({
        ...span,
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue])),
      })),
    ),
  )
