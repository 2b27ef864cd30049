import 'server-only'
import { config } from '#lib/config/config.ts'
import { quietConsole } from '#lib/config/log.ts'
import { guardAnswers, limitBodies, limitConnections, refuseBroken } from '#lib/http/guard-server.ts'
import { httpServer, putOpensSession } from '#lib/http/http-server.ts'
import { store } from '#lib/store/store.ts'
import { HANDLE_COOKIE } from './cookie.ts'
import { onSessionEnded } from './live-sessions.ts'
import { bareHeaders } from './security-headers.ts'
import { dropGrant } from './step-up-grants.ts'
import { revokeAtEnds } from './vault/revoke-ended.ts'
import { openSession } from './vault/vault.ts'
import { watchEnds } from './watch-ends.ts'

/** Ends the process if the configuration or the store cannot be read, instead of answering 500. */
export async function prepareProcess(): Promise<void> {
  try {
    config()
    await store()
  } catch (error) {
    process.stderr.write(`console: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
  guardServer()
  if (!config().development) quietConsole()
  onSessionEnded((id) => dropGrant(id))
  revokeAtEnds()
  watchEnds()
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
  limitConnections(server, { most: connectionsMost, mostPerAddress }, headers)
  server.keepAliveTimeout = keepAliveSeconds * 1000
  putOpensSession(async (cookies) => (await openSession(handleIn(cookies))) !== null)
}

const handleIn = (cookies: string): string =>
  cookies
    .split('; ')
    .find((pair) => pair.startsWith(`${HANDLE_COOKIE}=`))
    ?.slice(HANDLE_COOKIE.length + 1) ?? ''
