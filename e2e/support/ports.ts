import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections: one of those may be taken between here and its use. */
const PORTS = [20_000, 32_000] as const

/** A port that nobody has right now, and that no outgoing connection gets. */
export function freePort(): Promise<number> {
  const port = randomInt(...PORTS)
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(freePort()))
    server.listen(port, '127.0.0.1', () => server.close(() => done(port)))
  })
}
