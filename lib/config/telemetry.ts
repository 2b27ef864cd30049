import 'server-only'
import { z } from 'zod'
import { onOff, text, whole } from './variable.ts'

export interface TelemetryConfig {
  readonly logRequests: boolean
  readonly metrics: {
    readonly port: number | null
    readonly host: string
    readonly token: string | null
  }
  /** OTLP over HTTP. */
  readonly tracesUrl: string | null
}

const TOKEN_LEAST = 32

const collector = text
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'must be an http or https address',
  })
  .transform((value) => `${value.replace(/\/+$/, '')}/v1/traces`)

export const telemetryVariables = {
  LOG_REQUESTS: onOff.default(true),
  METRICS_PORT: whole(1, 65_535).optional(),
  METRICS_HOST: text.default('127.0.0.1'),
  METRICS_TOKEN: text
    .min(TOKEN_LEAST, `must have at least ${TOKEN_LEAST} characters`)
    .regex(/^[\x21-\x7e]*$/, 'must have no spaces')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
}

const variables = z.object(telemetryVariables)

export const telemetryOf = (given: z.output<typeof variables>): TelemetryConfig => ({
  logRequests: given.LOG_REQUESTS,
  metrics: {
    port: given.METRICS_PORT ?? null,
    host: given.METRICS_HOST,
    token: given.METRICS_TOKEN ?? null,
  },
  tracesUrl: given.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
})
