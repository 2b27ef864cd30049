import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { config } from '#lib/config/config.ts'
import { log, quietConsole } from '#lib/config/log.ts'
import { announceLeaving, announceShutdown } from '#lib/config/per-process.ts'
import { guardAnswers, limitBodies, limitConnections, refuseBroken } from '#lib/http/guard-server.ts'
import { httpServer, putSignedInActor } from '#lib/http/http-server.ts'
import { drainConnections, SHUTDOWN_LIMITS, shutDownInOrder, watchAnswers } from '#lib/http/shutdown.ts'
import { prepareLog } from '#lib/journal/sequencer.ts'
import { closeStore, store } from '#lib/store/store.ts'
import { meters } from '#lib/telemetry/spans.ts'
import { HANDLE_COOKIE } from './cookie.ts'
import { onSessionEnded, watchEnds } from './live-sessions.ts'
import { bareHeaders } from './security-headers.ts'
import { dropGrant } from './session.ts'
import { revokeAtEnds } from './vault/revoke-ended.ts'
import { watchUserinfo } from './vault/userinfo-check.ts'
import { openSession } from './vault/vault.ts'

/** Ends the process if the configuration or the store cannot be read, instead of answering 500. */
export async function prepareProcess(): Promise<void> {
  try {
    config()
    await store()
    await prepareLog()
  } catch (error) {
    process.stderr.write(`console: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
  guardServer()
  if (!config().development) quietConsole()
  onSessionEnded((id) => dropGrant(id))
  revokeAtEnds()
  watchEnds()
  watchUserinfo()
}

/** On the server itself, so that the limits also hold for requests that Next answers. */
function guardServer(): void {
  const own = httpServer()
  if (own === undefined) return
  const headers = bareHeaders(config())
  const { server } = own
  const { connectionsMost, behindProxy, keepAliveSeconds } = config()
  guardAnswers(server, headers)
  refuseBroken(server, headers)
  limitBodies(server)
  // Without a proxy, one address must not take all connections.
  const mostPerAddress = behindProxy ? Infinity : Math.ceil(connectionsMost / 2)
  limitConnections(server, { most: connectionsMost, mostPerAddress }, headers, () => meters().connectionRefused())
  server.keepAliveTimeout = keepAliveSeconds * 1000
  putSignedInActor(async (cookies) => (await openSession(handleIn(cookies)))?.actor ?? null)
}

const handleIn = (cookies: string): string =>
  cookies
    .split('; ')
    .find((pair) => pair.startsWith(`${HANDLE_COOKIE}=`))
    ?.slice(HANDLE_COOKIE.length + 1) ?? ''

/** `deploy/nginx` closes idle connections after four seconds. */
const PROXY_CLOSES_MS = 5_000

type LastSteps = Readonly<Record<'finishChanges' | 'printHead' | 'endTelemetry', () => Promise<unknown>>>

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
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop())
  // The launcher died, so no signal will come.
  process.on('disconnect', () => void stop())
}
