import type { Instrumentation } from 'next'

/** Runs once when the server process starts, before it answers anything. */
export async function register(): Promise<void> {
  // Next also builds this file for a runtime that has no processes; the check keeps the rest out of there.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { prepareProcess } = await import('#lib/session/prepare-process.ts')
    await prepareProcess()
    const { startUpkeep, printJournalEnd } = await import('#lib/commands/upkeep.ts')
    startUpkeep()
    const { heedStop } = await import('#lib/session/heed-stop.ts')
    const { endSends } = await import('#lib/commands/running-sends.ts')
    heedStop({ finishChanges: endSends, printHead: printJournalEnd })
  }
}

/** A page or handler failed: its digest is what a person reports. Neither its message nor the address is told. */
export const onRequestError: Instrumentation.onRequestError = async (error, _request, { routePath, routeType }) => {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { noteRequestError } = await import('#lib/config/quiet-console.ts')
    noteRequestError(error, { route: routePath, kind: routeType })
  }
}
