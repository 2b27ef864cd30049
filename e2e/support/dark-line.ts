import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line to a database that can go dark: connections stay, and nothing comes through any more. */
export interface DarkLine {
  readonly url: string
  goDark(): void
  stop(): void
}

export async function startDarkLine(databaseUrl: string): Promise<DarkLine> {
  const to = new URL(databaseUrl)
  const ends = new Set<Socket>()
  let dark = false
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    for (const [end, other] of [[near, far] as const, [far, near] as const]) {
      ends.add(end)
      end.on('data', (data) => void (dark || other.write(data)))
      end.on('error', () => {})
      end.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    goDark() {
      dark = true
    },
    stop() {
      server.close()
      for (const end of ends) end.destroy()
    },
  }
}
