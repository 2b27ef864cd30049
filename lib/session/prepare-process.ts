import 'server-only'
import { config } from '#lib/config/config.ts'
import { quietConsole } from '#lib/config/quiet-console.ts'
import { guardAnswers, limitBodies, refuseBroken } from '#lib/http/guard-server.ts'
import { ownServer } from '#lib/http/own-server.ts'
import { store } from '#lib/store/store.ts'
import { onSessionEnded } from './live-sessions.ts'
import { bareHeaders } from './security-headers.ts'
import { dropGrant } from './step-up-grants.ts'
import { revokeAtEnds } from './vault/revoke-ended.ts'
import { watchEnds } from './watch-ends.ts'

/**
 * Reads the configuration, opens the store, and begins to watch for sessions that end. A process that cannot do the
 * first two is of no use to anyone, and one that lives on and answers 500 hides it: it says why and ends.
 */
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

/** Headers and deadlines that hold for every answer, the framework's too. */
function guardServer(): void {
  const own = ownServer()
  if (own === undefined) return
  const headers = bareHeaders(config())
  guardAnswers(own.server, headers)
  refuseBroken(own.server, headers)
  limitBodies(own.server)
}
