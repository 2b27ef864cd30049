import { config } from '#lib/config/config.ts'
import { metricsOnMainPort } from '#lib/telemetry/answer-metrics.ts'

/** Answers "not found" when metrics are disabled or have their own port. Otherwise a token is required. */
export async function GET(request: Request): Promise<Response> {
  const { status, headers, body } = await metricsOnMainPort(
    config().telemetry.metrics,
    request.headers.get('authorization'),
  )
  return new Response(body, { status, headers })
}
