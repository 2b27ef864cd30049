import 'server-only'
import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'

export interface ShutdownSteps {
  /** Ends streams; stops other work where it can resume. */
  readonly announce: () => void
  readonly finishAnswers: () => Promise<unknown>
  readonly cut: () => void
  readonly finishChanges: () => Promise<unknown>
  readonly last: readonly (readonly [name: string, step: () => Promise<unknown>])[]
  readonly tooLate: (step: string) => void
}

export interface ShutdownLimits {
  readonly answersMs: number
  readonly changesMs: number
  readonly lastMs: number
}

/** A slow body other than a bank file takes at most 40 s, a change 60 s plus storing. The launcher waits longer. */
export const SHUTDOWN_LIMITS: ShutdownLimits = { answersMs: 40_000, changesMs: 65_000, lastMs: 4_000 }

export async function shutDownInOrder(steps: ShutdownSteps, limits: ShutdownLimits): Promise<boolean> {
  steps.announce()
  if (!(await within(steps.finishAnswers, limits.answersMs))) steps.tooLate('answers')
  steps.cut()
  const changesEnded = await within(steps.finishChanges, limits.changesMs)
  if (!changesEnded) steps.tooLate('changes')
  for (const [name, step] of steps.last) {
    if (!(await within(step, limits.lastMs))) steps.tooLate(name)
  }
  return changesEnded
}

async function within(step: () => Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((done) => {
    timer = setTimeout(done, ms, false)
  })
  try {
    return await Promise.race([step().then(() => true), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

const LOOK_EVERY_MS = 100

export function watchAnswers(server: Server): ReadonlySet<ServerResponse> {
  const underWay = new Set<ServerResponse>()
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })
  return underWay
}

const endConnectionAfter = (response: ServerResponse): void => {
  response.shouldKeepAlive = false
}

/** A keep-alive connection or a preconnect is closed once no answer is running and `idleMs` have passed. */
export function drainConnections(server: Server, underWay: ReadonlySet<ServerResponse>, idleMs: number): Promise<void> {
  // A load balancer may be sending a change on an idle connection; closing it would leave the outcome unknown.
  const until = performance.now() + idleMs
  for (const response of underWay) endConnectionAfter(response)
  server.prependListener('request', (_request: unknown, response: ServerResponse) => endConnectionAfter(response))
  return new Promise((done) => {
    const looking = setInterval(() => {
      if (underWay.size === 0 && performance.now() >= until) server.closeAllConnections()
    }, LOOK_EVERY_MS)
    // The HTTP server's `close` would close idle connections.
    NetServer.prototype.close.call(server, () => {
      clearInterval(looking)
      done()
    })
  })
}
