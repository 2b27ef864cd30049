import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** `dark`: connections stay, and nothing comes through. `down`: nothing listens. `slow`: each part takes its time. */
export type StoreTrouble = 'dark' | 'down' | 'slow'

/** A console's way to its store. */
export interface StoreLine {
  readonly url: string
  begin(trouble: StoreTrouble): Promise<void>
  /** New connections are as they should be; those that went dark are cut, as a network does in the end. */
  mend(): Promise<void>
  stop(): Promise<void>
}

const SLOW_MS = 150

export async function startStoreLine(databaseUrl: string): Promise<StoreLine> {
  const to = new URL(databaseUrl)
  const ends = new Set<Socket>()
  let trouble: StoreTrouble | null = null
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    for (const [end, other] of [[near, far] as const, [far, near] as const]) {
      ends.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        ends.delete(end)
        other.destroy()
      })
      end.on('data', async (data) => {
        if (trouble === 'dark') return
        end.pause()
        if (trouble === 'slow') await wait(SLOW_MS)
        other.write(data)
        end.resume()
      })
    }
  })
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const cut = async (): Promise<void> => {
    const closed = new Promise<void>((done) => (server.listening ? server.close(() => done()) : done()))
    for (const end of ends) end.destroy()
    await closed
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    async begin(begun) {
      trouble = begun
      if (begun === 'down') await cut()
    },
    async mend() {
      const { listening } = server
      if (trouble === 'dark') for (const end of ends) end.destroy()
      trouble = null
      if (!listening) await listen(port)
    },
    stop: cut,
  }
}
