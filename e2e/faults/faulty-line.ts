import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type AnswerHarm, STAYS_OPEN, spoil } from './spoilt-answer.ts'

/** What happens to one request, or to its answer, once so many bytes of it have passed. */
export type Harm =
  | { readonly to: 'request'; readonly afterBytes: number; readonly how?: 'reset' | 'hold' }
  | { readonly to: 'answer'; readonly afterBytes: number; readonly how: AnswerHarm }
  /** The line answers in the service's place, which gets nothing of the request: a part as it is, and the rest spoilt. */
  | { readonly to: 'both'; readonly begins: string; readonly rest: string; readonly how: AnswerHarm }

/** The way of one console to the service and to its identity provider. */
export interface FaultyLine {
  readonly url: string
  /** For the next changes sent to this path: each harm is done once, in order. */
  harm(path: string, harms: readonly Harm[]): void
  /** For every request, until it is given again: what happens to it, if anything. */
  harmEach(choose: (method: string, path: string) => Harm | null): void
  /** Counts the changes whose request has this text, from now on. */
  watch(mark: string): void
  /** How often each watched change was sent, whole or in part. */
  readonly sent: ReadonlyMap<string, number>
  /** How often each refresh token was sent, and reached the provider's side of this line. */
  readonly refreshed: ReadonlyMap<string, number>
  /** Harms given by `harm` that no request has met yet. */
  waiting(): number
  /** Until a harm of this line holds a request or an answer. */
  held(): Promise<void>
  /** Cuts each connection to the hub now, whatever of a frame has passed. */
  resetHub(): void
  /** Nothing listens any more, and every connection is cut, until `mend`. */
  cut(): Promise<void>
  mend(): Promise<void>
  stop(): Promise<void>
}

const REFRESH_TOKEN = /(?:^|[&\s])refresh_token=([^&\s]+)|"refreshToken":"([^"]+)"/

/** `beforeSending` is waited for before the first byte of a watched change passes. */
export async function startFaultyLine(
  target: string,
  beforeSending: (mark: string) => Promise<void>,
): Promise<FaultyLine> {
  const { port: targetPort } = new URL(target)
  const harms = new Map<string, Harm[]>()
  let choose: (method: string, path: string) => Harm | null = () => null
  const sent = new Map<string, number>()
  const refreshed = new Map<string, number>()
  const [ends, hubs] = [new Set<Socket>(), new Set<Socket>()]
  let whenHeld = () => {}

  const harmOf = (method: string, path: string): Harm | null =>
    (method === 'GET' ? undefined : harms.get(path)?.shift()) ?? choose(method, path)

  async function noteChange(text: string): Promise<void> {
    for (const [mark, times] of sent) {
      if (!text.includes(mark)) continue
      sent.set(mark, times + 1)
      await beforeSending(mark)
    }
  }

  function join(near: Socket): void {
    const far = connect(Number(targetPort), '127.0.0.1')
    for (const end of [near, far]) {
      ends.add(end)
      end.on('error', () => {})
      end.once('close', () => ends.delete(end))
    }
    near.once('close', () => far.destroy())
    pass(near, far, {
      async begins(method, path, text) {
        if (path.startsWith('/hubs/')) hubs.add(near.once('close', () => hubs.delete(near)))
        if (method !== 'GET') await noteChange(text)
        return harmOf(method, path.split('?')[0] ?? '')
      },
      passed(text) {
        const [, form, json] = REFRESH_TOKEN.exec(text) ?? []
        const token = form ?? json
        if (token !== undefined) refreshed.set(token, (refreshed.get(token) ?? 0) + 1)
      },
      held: () => whenHeld(),
    })
  }

  const server = createServer(join)
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = async (): Promise<void> => {
    const closed = new Promise<void>((done) => (server.listening ? server.close(() => done()) : done()))
    for (const end of ends) end.destroy()
    await closed
  }
  return {
    url: `http://localhost:${port}`,
    harm: (path, more) => void harms.set(path, [...(harms.get(path) ?? []), ...more]),
    harmEach: (chosen) => {
      choose = chosen
    },
    watch: (mark) => void sent.set(mark, 0),
    sent,
    refreshed,
    waiting: () => [...harms.values()].reduce((sum, waiting) => sum + waiting.length, 0),
    held: () =>
      new Promise((done) => {
        whenHeld = done
      }),
    resetHub: () => {
      for (const line of hubs) line.resetAndDestroy()
    },
    cut,
    mend: () => listen(port),
    stop: cut,
  }
}

interface Passing {
  /** A request begins: what happens to it. */
  begins(method: string, path: string, text: string): Promise<Harm | null>
  /** A part of a request has been handed on whole. */
  passed(text: string): void
  held(): void
}

/** Hands on what both ends of one connection say, with the harm that each request or its answer meets. */
function pass(near: Socket, far: Socket, { begins, passed, held }: Passing): void {
  let harm: Harm | null = null
  let bytes = 0
  const trickled = (): void => {
    harm = null
    if (far.destroyed) near.end()
  }
  near.on('data', async (data) => {
    const text = data.toString('utf8')
    const [, method = '', path] = /^([A-Z]+) (\S+) HTTP/.exec(text) ?? []
    if (path !== undefined) {
      near.pause()
      harm = await begins(method, path, text)
      bytes = 0
      near.resume()
    }
    if (harm?.to === 'both') {
      if (path === undefined) return
      near.write(harm.begins)
      return spoil(near, harm.how, Buffer.from(harm.rest), trickled)
    }
    if (harm?.to !== 'request') {
      far.write(data)
      return passed(text)
    }
    far.write(data.subarray(0, Math.max(harm.afterBytes - bytes, 0)))
    bytes += data.length
    if (bytes < harm.afterBytes) return
    if (harm.how === 'hold') return held()
    near.resetAndDestroy()
    far.resetAndDestroy()
  })
  far.once('close', () => {
    // An answer that was shorter passed whole: its connection is a good one, which ends with the service's.
    if (harm?.to !== 'answer' || bytes <= harm.afterBytes || !STAYS_OPEN.has(harm.how)) near.end()
  })
  far.on('data', (data) => {
    if (harm?.to !== 'answer') return void near.write(data)
    const whole = data.subarray(0, Math.max(harm.afterBytes - bytes, 0))
    bytes += data.length
    if (harm.how !== 'endless') near.write(whole)
    if (bytes <= harm.afterBytes) return
    if (harm.how === 'silence') held()
    spoil(near, harm.how, data.subarray(whole.length), trickled)
  })
}
