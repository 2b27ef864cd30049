import { config } from '#lib/config/config.ts'
import { metricsOnMainPort } from '#lib/telemetry/answer-metrics.ts'

/** Metrics, where a token guards them. Off, and where they have a port of their own, there is nothing here. */
export async function GET(request: Request): Promise<Response> {
  const { status, headers, body } = await metricsOnMainPort(
    config().telemetry.metrics,
    request.headers.get('authorization'),
  )
  return new Response(body, { status, headers })
}
