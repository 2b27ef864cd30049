import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { log } from '#lib/config/log.ts'
import { chainEnd } from '#lib/store/open-commands.ts'
import { store } from '#lib/store/store.ts'

/** A store that is out holds the exit no longer than this. */
const AT_STOP_MS = 2_000

/** To the log, so that a tail of the journal that is cut off later shows. */
export async function printJournalEnd(): Promise<void> {
  const { sequence, mac } = await chainEnd(await store())
  log().info({ event: 'journal-end', sequence, mac })
}

/**
 * Lets the process print the journal's end as its last act. After a signal the framework finishes its requests and what
 * they left going, and then exits at once: from the signal on, that exit waits for the line.
 */
export function printJournalEndAtStop(): void {
  const signalled = () => {
    process.exit = ((code) => {
      process.exit = exit
      const printed = printJournalEnd().catch(() => {})
      void Promise.race([printed, wait(AT_STOP_MS)]).then(() => exit(code))
    }) as typeof process.exit
  }
  const exit = process.exit.bind(process)
  process.once('SIGTERM', signalled)
  process.once('SIGINT', signalled)
}
