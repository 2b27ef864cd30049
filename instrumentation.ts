/** Runs once when the server process starts, before it answers anything. */
export async function register(): Promise<void> {
  // Next also builds this file for a runtime that has no processes; the check keeps the rest out of there.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { prepareProcess } = await import('#lib/session/prepare-process.ts')
    await prepareProcess()
    const { startUpkeep } = await import('#lib/commands/upkeep.ts')
    startUpkeep()
  }
}
