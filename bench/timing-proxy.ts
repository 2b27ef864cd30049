import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/** Stands between the console and the service: counts what the console asks, and says how long each answer took. */
export class TimingProxy {
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: true })
  /** Milliseconds of every call that was answered, in order. */
  readonly calls: number[] = []
  /** So many milliseconds are put on every call, as if the service were that far away. */
  farAwayMs = 0

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(target: string): Promise<TimingProxy> {
    const server = createServer()
    const proxy = new TimingProxy(server)
    const { hostname, port } = new URL(target)
    server.on('request', async (incoming, outgoing) => {
      const began = performance.now()
      if (proxy.farAwayMs > 0) await wait(proxy.farAwayMs)
      const { method, url: path, headers } = incoming
      const onward = request({ hostname, port, agent: proxy.#agent, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
        answer.on('end', () => proxy.calls.push(performance.now() - began))
      })
      onward.on('error', () => outgoing.destroy())
      incoming.pipe(onward)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
    this.#agent.destroy()
  }
}
