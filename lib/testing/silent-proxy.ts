import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be cut so that nobody notices: nothing passes, and nothing is closed. */
export interface SilentProxy {
  readonly port: number
  silence(): void
  /** Silences each connection that sends this text to the server. */
  silenceAt(text: string): void
  /** For new connections; those that were silenced stay so. */
  speak(): void
  stop(): Promise<void>
}

export async function silentProxy(target: { readonly host: string; readonly port: number }): Promise<SilentProxy> {
  let silent = false
  let silencing: string | null = null
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    sockets.add(near)
    near.on('error', () => {})
    if (silent) return
    const far = connect(target.port, target.host)
    sockets.add(far)
    far.on('error', () => {})
    const cut = { now: false }
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (data) => {
        cut.now ||= silent || (silencing !== null && data.includes(silencing))
        if (!cut.now) to.write(data)
      })
      from.on('close', () => cut.now || silent || to.destroy())
    }
    pass(near, far)
    pass(far, near)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      silent = true
    },
    silenceAt(text) {
      silencing = text
    },
    speak() {
      silent = false
      silencing = null
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
