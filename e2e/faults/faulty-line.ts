import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** What happens to one request of a change, or to its answer, once so many bytes of it have passed. */
export type Harm =
  | { readonly to: 'request'; readonly afterBytes: number }
  | {
      readonly to: 'answer'
      readonly afterBytes: number
      readonly how: 'reset' | 'end' | 'garble' | 'trickle' | 'endless' | 'silence'
    }

/** The way of one console to the service. */
export interface FaultyLine {
  readonly url: string
  /** For the next request to this path: each harm is done once, in order. */
  harm(path: string, harms: readonly Harm[]): void
  /** How often each deposit's confirmation was sent, whole or in part. */
  readonly sent: ReadonlyMap<string, number>
  /** Harms that no request has met yet. */
  waiting(): number
  /** Nothing listens any more, and every connection is cut, until `mend`. */
  cut(): Promise<void>
  mend(): Promise<void>
  stop(): Promise<void>
}

const TRICKLE_MS = 200
const ENDLESS = Buffer.alloc(64 * 1024, 'a')
const ENDLESS_HEAD =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"data":{"referenceId":"'
const REFERENCE = /"referenceId":"([^"]+)"/

/** `beforeSending` is waited for before the first byte of a confirmation passes. */
export async function startFaultyLine(
  target: string,
  beforeSending: (reference: string) => Promise<void>,
): Promise<FaultyLine> {
  const { port: targetPort } = new URL(target)
  const harms = new Map<string, Harm[]>()
  const sent = new Map<string, number>()
  const ends = new Set<Socket>()

  function join(near: Socket): void {
    const far = connect(Number(targetPort), '127.0.0.1')
    for (const end of [near, far]) {
      ends.add(end)
      end.on('error', () => {})
      end.once('close', () => ends.delete(end))
    }
    near.once('close', () => far.destroy())
    far.once('close', () => near.end())
    let harm: Harm | undefined
    let passed = 0
    near.on('data', async (data) => {
      const text = data.toString('utf8')
      const path = /^POST (\S+) HTTP/.exec(text)?.[1]
      if (path !== undefined) {
        harm = harms.get(path)?.shift()
        passed = 0
      }
      const reference = path?.endsWith('/deposit/confirm') ? REFERENCE.exec(text)?.[1] : undefined
      if (reference !== undefined) {
        sent.set(reference, (sent.get(reference) ?? 0) + 1)
        near.pause()
        await beforeSending(reference)
        near.resume()
      }
      if (harm?.to !== 'request') return void far.write(data)
      far.write(data.subarray(0, Math.max(harm.afterBytes - passed, 0)))
      passed += data.length
      if (passed < harm.afterBytes) return
      near.resetAndDestroy()
      far.resetAndDestroy()
    })
    far.on('data', (data) => {
      if (harm?.to !== 'answer') return void near.write(data)
      const whole = data.subarray(0, Math.max(harm.afterBytes - passed, 0))
      passed += data.length
      if (harm.how !== 'endless') near.write(whole)
      if (passed >= harm.afterBytes) spoil(near, harm.how, data.subarray(whole.length))
    })
  }

  const server = createServer(join)
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = async (): Promise<void> => {
    const closed = new Promise<void>((done) => server.close(() => done()))
    for (const end of ends) end.destroy()
    await closed
  }
  return {
    url: `http://localhost:${port}`,
    harm: (path, more) => void harms.set(path, [...(harms.get(path) ?? []), ...more]),
    sent,
    waiting: () => [...harms.values()].reduce((sum, waiting) => sum + waiting.length, 0),
    cut,
    mend: () => listen(port),
    stop: cut,
  }
}

/** What comes in place of the rest of an answer. */
function spoil(near: Socket, how: (Harm & { to: 'answer' })['how'], rest: Buffer): void {
  if (how === 'reset') near.resetAndDestroy()
  else if (how === 'end') near.end()
  else if (how === 'garble') near.write(rest.map((byte) => byte ^ 0x5a))
  else if (how === 'trickle') trickle(near, [...rest])
  else if (how === 'endless') flood(near)
}

function trickle(near: Socket, bytes: readonly number[]): void {
  let at = 0
  const timer = setInterval(() => {
    if (at >= bytes.length || near.destroyed) clearInterval(timer)
    else near.write(Buffer.of(bytes[at] ?? 0))
    at += 1
  }, TRICKLE_MS)
}

function flood(near: Socket): void {
  const more = (): void => {
    while (!near.destroyed && near.write(ENDLESS));
  }
  near.on('drain', more)
  near.write(ENDLESS_HEAD)
  more()
}
