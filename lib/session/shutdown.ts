import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { config } from '#lib/config/config.ts'
import { log } from '#lib/config/log.ts'
import { announceLeaving, announceShutdown } from '#lib/config/per-process.ts'
import { httpServer } from '#lib/http/http-server.ts'
import { drainConnections, SHUTDOWN_LIMITS, shutDownInOrder, watchAnswers } from '#lib/http/shutdown.ts'
import { closeStore } from '#lib/store/store.ts'

/** `deploy/nginx` closes idle connections after four seconds. */
const PROXY_CLOSES_MS = 5_000

interface LastSteps {
  readonly finishChanges: () => Promise<unknown>
  readonly printHead: () => Promise<unknown>
  readonly endTelemetry: () => Promise<unknown>
}

/** The exit code is 0 when every change finished. */
export function shutDownOnSignal({ finishChanges, printHead, endTelemetry }: LastSteps): void {
  const own = httpServer()
  if (own === undefined) return
  const { server, finish } = own
  const underWay = watchAnswers(server)
  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    announceLeaving()
    await wait(config().drainSeconds * 1000)
    const ended = await shutDownInOrder(
      {
        announce: announceShutdown,
        finishAnswers: () =>
          drainConnections(server, underWay, config().behindProxy ? PROXY_CLOSES_MS : 0).then(finish),
        cut: () => server.closeAllConnections(),
        finishChanges,
        last: [
          ['journal-end', printHead],
          ['telemetry', endTelemetry],
          ['store', closeStore],
        ],
        tooLate: (step) => log().warn({ event: 'stop', step }, 'this did not end in its time'),
      },
      SHUTDOWN_LIMITS,
    )
    process.exit(ended ? 0 : 1)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
  // The launcher died, so no signal will come.
  process.on('disconnect', () => void stop())
}
