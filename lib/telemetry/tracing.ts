import 'server-only'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { log, outsideWork, type SpanIds } from '#lib/config/log.ts'
import { bootId, putPerProcess } from '#lib/config/per-process.ts'
import { meters, type OpenSpan, SPAN_ATTRIBUTES, type SpanAttributes, type Tracing } from './spans.ts'

const EXPORT_WITHIN_MS = 5_000
/** More spans are dropped. */
const WAITING_MOST = 2_048
const VALUE_MAX_CHARS = 128

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const

/** Not registered globally: the framework would create spans that contain addresses. */
export function startTracing(url: string): void {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_WITHIN_MS, concurrencyLimit: 2 })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'operator-console', 'service.instance.id': bootId() }),
    spanLimits: { attributeValueLengthLimit: VALUE_MAX_CHARS },
    spanProcessors: [queueOf(exporter)],
  })
  const tracer = provider.getTracer('operator-console')
  const own: Tracing = {
    start({ name, kind, attributes, parent, link }) {
      const links = link == null ? [] : [{ context: contextOf(link) }]
      const within = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent))
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: allowed(attributes), links }, within)
      const open: OpenSpan = {
        ids: span.spanContext(),
        end(further, failed) {
          span.setAttributes(allowed(further))
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
      return open
    },
    end: () => provider.shutdown().catch(() => {}),
  }
  putPerProcess('tracing', own)
}

const contextOf = (ids: SpanIds) => ({ ...ids, traceFlags: TraceFlags.SAMPLED })

/** Types do not stop a cast. */
const allowed = (attributes: SpanAttributes): SpanAttributes =>
  Object.fromEntries(
    SPAN_ATTRIBUTES.flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])),
  )

/** The library drops spans of a full queue silently, so this counts them. */
function queueOf(exporter: SpanExporter): SpanProcessor {
  let waiting = 0
  const batches = new BatchSpanProcessor({
    exporter: counting(exporter, (taken) => {
      waiting -= taken
    }),
    exportTimeoutMillis: EXPORT_WITHIN_MS,
    maxQueueSize: WAITING_MOST,
  })
  return {
    onStart: () => {},
    onEnd(span) {
      if (waiting >= WAITING_MOST) return meters().spans('lost', 1)
      waiting += 1
      batches.onEnd(span)
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  }
}

function counting(exporter: SpanExporter, onTaken: (spans: number) => void): SpanExporter {
  let out = false
  return {
    // A timer sends batches, so the current request is unrelated.
    export: (spans, done) => {
      onTaken(spans.length)
      outsideWork(() =>
        exporter.export(spans, (result) => {
          const lost = result.error !== undefined || result.code !== 0
          if (lost !== out) log().warn({ event: 'traces', state: lost ? 'lost' : 'taken' })
          out = lost
          meters().spans(lost ? 'lost' : 'exported', spans.length)
          done(result)
        }),
      )
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}
