import 'server-only'
import { config } from '#lib/config/config.ts'
import { store } from '#lib/store/store.ts'

/**
 * Reads the configuration and opens the store. A process that cannot do either is of no use to anyone, and one that
 * lives on and answers 500 hides it: it says why and ends.
 */
export async function prepareProcess(): Promise<void> {
  try {
    config()
    await store()
  } catch (error) {
    process.stderr.write(`console: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
  // The launcher holds this channel open; when it is gone, however it went, nobody is left to stop us.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}
