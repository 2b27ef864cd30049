import 'server-only'
import { handlers, pages, templateOf } from '#lib/authorization/routes.ts'
import { highestUse } from '#lib/commands/policy/limits.ts'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { denials, waitingEvents } from '#lib/journal/sequencer.ts'
import { commandKinds } from '#lib/kind-names.ts'
import { storeIsReady } from '#lib/store/ready.ts'
import { countStorePool, store } from '#lib/store/store.ts'
import { countStreams } from '#lib/stream/feeds.ts'
import { countHubConnections } from '#lib/stream/hub-connection.ts'
import type { KnownLabels, Readings } from '#lib/telemetry/metrics.ts'
import { type EndTelemetry, startTelemetry } from '#lib/telemetry/start-telemetry.ts'
import { decisionRefusalReasons } from './commands/command.ts'
import { readUnderWay } from './commands/queries.ts'
import { commandStates } from './commands/row.ts'
import { config } from './config/config.ts'
import { sinkStatus } from './journal/sink.ts'
import { witnessStatus } from './journal/witness.ts'

/** Bounds the cardinality of metric labels. */
export const knownLabels: KnownLabels = {
  routes: [...Object.keys(pages), ...Object.keys(handlers)],
  endpoints: Object.values(endpoints).flatMap((area: Readonly<Record<string, Endpoint>>) =>
    Object.values(area).map(({ method, path }) => `${method} ${path}`),
  ),
  kinds: commandKinds,
  states: commandStates,
  denials,
  approvalRefusals: decisionRefusalReasons,
}

export const readings: Readings = {
  openCommands: async () => await readUnderWay(await store()),
  policyVersion: () => config().policy.version,
  journalWaitSeconds: async () => (await waitingEvents(await store())).oldestSeconds,
  witness: async () => {
    const status = await witnessStatus(await store())
    return status && { lagSeconds: status.lagSeconds, isConflict: status.conflict !== null }
  },
  auditSink: async () => await sinkStatus(await store()),
  limitUse: async () => await highestUse(await store()),
  storeIsReady,
  streams: countStreams,
  hubConnections: countHubConnections,
  storePool: countStorePool,
}

/** Ends the process if the metrics port is taken. */
export async function startConsoleTelemetry(): Promise<EndTelemetry> {
  const { telemetry } = config()
  try {
    return await startTelemetry(telemetry, { templateOf, labels: knownLabels, readings })
  } catch (error) {
    const { port, host } = telemetry.metrics
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'error'
    process.stderr.write(`console: cannot listen for metrics on ${host}:${port}: ${code}\n`)
    process.exit(1)
  }
}
