import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a database on this machine as if it were so many milliseconds away; the database's own address where it is none. */
export async function delayingProxy(target: string, delayMs: number): Promise<{ url: string; stop(): Promise<void> }> {
  if (delayMs === 0) return { url: target, stop: async () => {} }
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true })
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    near.on('data', (data) => void setTimeout(() => far.write(data), delayMs))
    far.on('data', (data) => void near.write(data))
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
