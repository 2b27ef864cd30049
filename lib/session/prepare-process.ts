import 'server-only'
import { config } from '#lib/config/config.ts'
import { store } from '#lib/store/store.ts'
import { onSessionEnded } from './live-sessions.ts'
import { dropGrant } from './step-up-grants.ts'
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
  onSessionEnded(dropGrant)
  watchEnds()
  // The launcher holds this channel open; when it is gone, however it went, nobody is left to stop us.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}
