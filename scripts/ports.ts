import { createServer } from 'node:net'

export async function takenPort(ports: readonly number[]): Promise<number | null> {
  for (const port of ports) {
    for (const host of ['127.0.0.1', '0.0.0.0']) if (!(await isFree(port, host))) return port
  }
  return null
}

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, host, () => server.close(() => done(true)))
  })
