import type { Instrumentation } from 'next'

/** Runs once when the server process starts, before it answers anything. */
export async function register(): Promise<void> {
  // Next also builds this file for a runtime that has no processes; the check keeps the rest out of there.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { prepareProcess } = await import('#lib/session/prepare-process.ts')
    await prepareProcess()
    const [{ registerKinds }, { kinds }, { registerTopics }, { topics }] = await Promise.all([
      import('#lib/commands/kind.ts'),
      import('#lib/kinds.ts'),
      import('#lib/stream/feeds.ts'),
      import('#lib/topics.ts'),
    ])
    registerKinds(kinds)
    registerTopics(topics)
    const { startMaintenance } = await import('#lib/commands/maintenance.ts')
    const { startSequencer, placeAndPrint } = await import('#lib/journal/sequencer.ts')
    const { startSink, deliverLast } = await import('#lib/journal/sink.ts')
    const { eraseDiscardedStatements, eraseOldLines } = await import('#lib/statements/statement-list.ts')
    const { eraseOldText } = await import('#lib/commands/erase-text.ts')
    const { eraseKeptFiles } = await import('#lib/statements/kept-file.ts')
    const { eraseOldAudit } = await import('#lib/session/audit-trail.ts')
    const { eraseOldChanges } = await import('#lib/stream/change-feed.ts')
    const { resumeLookingUp } = await import('#lib/statements/match-lines.ts')
    const { endStatementWork } = await import('#lib/statements/work.ts')
    startMaintenance({
      resumeLookingUp,
      eraseDiscardedStatements,
      eraseKeptFiles,
      eraseOldAudit,
      eraseOldChanges,
      eraseOldText,
      eraseOldLines,
    })
    startSequencer()
    startSink()
    const { shutDownOnSignal } = await import('#lib/session/prepare-process.ts')
    const { endSends } = await import('#lib/commands/send.ts')
    const { endRenewals } = await import('#lib/session/vault/access-token.ts')
    const { startConsoleTelemetry } = await import('#lib/console-telemetry.ts')
    const endTelemetry = await startConsoleTelemetry()
    // A taken metrics port ends the process, which is then not a start.
    const { recordStart, recordStop } = await import('#lib/session/process-trail.ts')
    void recordStart()
    shutDownOnSignal({
      finishChanges: () => Promise.all([endSends(), endStatementWork(), endRenewals()]),
      printHead: () => recordStop().then(placeAndPrint).then(deliverLast),
      endTelemetry,
    })
  }
}

/** A page or handler failed: its digest is what a person reports. Neither its message nor the address is told. */
export const onRequestError: Instrumentation.onRequestError = async (error, _request, { routePath, routeType }) => {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { logRequestError } = await import('#lib/config/log.ts')
    logRequestError(error, { route: routePath, kind: routeType })
  }
}
