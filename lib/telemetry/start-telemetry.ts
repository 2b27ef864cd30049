import 'server-only'
import type { Server } from 'node:http'
import type { TelemetryConfig } from '#lib/config/config.ts'
import { putAroundAnswer } from '#lib/http/http-server.ts'
import { serveMetrics } from './answer-metrics.ts'
import type { KnownLabels, Readings } from './metrics.ts'
import { observeRequests } from './observe-requests.ts'
import { tracing } from './spans.ts'

interface About {
  readonly templateOf: (pathname: string) => string | null
  readonly labels: KnownLabels
  readonly readings: Readings
}

export type EndTelemetry = () => Promise<void>

/** Throws if a port is in use. */
export async function startTelemetry(telemetry: TelemetryConfig, about: About): Promise<EndTelemetry> {
  const { port, token } = telemetry.metrics
  // These modules take a sixth of a second and 25 MB.
  if (port !== null || token !== null) {
    const { startMetrics } = await import('./metrics.ts')
    startMetrics(about.labels, about.readings)
  }
  // First, because it may fail.
  const server: Server | null = port === null ? null : await serveMetrics({ ...telemetry.metrics, port })
  if (telemetry.tracesUrl !== null) {
    const { startTracing } = await import('./tracing.ts')
    startTracing(telemetry.tracesUrl)
  }
  putAroundAnswer(observeRequests({ templateOf: about.templateOf, logRequests: telemetry.logRequests }))
  return async () => {
    server?.close()
    server?.closeAllConnections()
    await tracing()?.end()
  }
}
