import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections: one of those may be taken between here and its use. Each worker
 * has its own, and none is given twice; PostgreSQL's own are others (`lib/database/test-postgres.ts`).
 */
const PORTS_EACH = 1_500
const FIRST = 20_000 + PORTS_EACH * (Number(process.env.TEST_PARALLEL_INDEX ?? 0) % 4)
const given = new Set<number>()

/** A port that nobody has right now, and that no outgoing connection gets. */
export function freePort(): Promise<number> {
  const port = FIRST + randomInt(PORTS_EACH)
  if (given.has(port)) return freePort()
  given.add(port)
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(freePort()))
    server.listen(port, '127.0.0.1', () => server.close(() => done(port)))
  })
}
