import { connect, type Socket } from 'node:net'

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>
}

/** Opens a connection and sends these bytes, which need not be a request that a client would make. */
export function sendRaw(url: string, bytes: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
  socket.on('error', () => {})
  return socket
}

/** The head of what comes back for these bytes. */
export async function askRaw(url: string, bytes: string, withinMs = 30_000): Promise<RawAnswer> {
  const socket = sendRaw(url, bytes)
  const late = setTimeout(() => socket.destroy(), withinMs)
  let answer = ''
  await new Promise<void>((done) => {
    socket.on('close', () => done())
    socket.on('data', (data) => {
      answer += data
      if (answer.includes('\r\n\r\n')) done()
    })
  })
  clearTimeout(late)
  socket.destroy()
  const [first = '', ...lines] = answer.split('\r\n\r\n')[0]?.split('\r\n') ?? []
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
  })
  return { status: Number(first.split(' ')[1] ?? 0), headers: new Map(headers) }
}
