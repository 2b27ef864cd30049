import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Answer = (response: ServerResponse) => void

export const answerWith = (status: number, headers: Readonly<Record<string, string>> = {}): Answer => {
  return (response) => void response.writeHead(status, headers).end('{}')
}

/** Stands for a SIEM; tests set `received` and `answer`. */
export async function startLogReceiver() {
  const state: { received: readonly Received[]; answer: Answer } = { received: [], answer: answerWith(204) }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { url: path = '', headers } = request
      state.received = [...state.received, { path, headers, body: Buffer.concat(parts).toString() }]
      state.answer(response)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const hold = () =>
    new Promise<ServerResponse>((done) => {
      state.answer = done
    })
  return Object.assign(state, { origin, hold, stop: () => void server.close() })
}
