import { afterEach, expect, test } from 'vitest'
import type { TelemetryConfig } from '#lib/config/config.ts'
import { peekPerProcess, putPerProcess } from '#lib/config/per-process.ts'
import { knownLabels, readings } from '#lib/console-telemetry.ts'
import { freePort } from '#lib/database/test-postgres.ts'
import { tracing } from './spans.ts'
import { startTelemetry } from './start-telemetry.ts'

const MADE = ['meters', 'metrics', 'tracing']
const off: TelemetryConfig = {
  logRequests: false,
  metrics: { port: null, host: '127.0.0.1', token: null },
  tracesUrl: null,
}
const start = (settings: Partial<TelemetryConfig>) =>
  startTelemetry(
    { ...off, ...settings },
    { templateOf: () => null, labels: knownLabels, readings: { ...readings, policyVersion: () => null } },
  )
const made = () => MADE.filter((name) => peekPerProcess(name) !== undefined)

afterEach(() => {
  for (const name of [...MADE, 'around answer']) putPerProcess(name, undefined)
})

test('nothing is made that was not asked for', async () => {
  const end = await start({})
  expect(made()).toEqual([])
  await end()
  await start({ metrics: { ...off.metrics, token: 'a token' } })
  expect(made()).toEqual(['meters', 'metrics'])
})

test('what was asked for is made, and the port of the metrics is free again at the end', async () => {
  const port = await freePort()
  const settings = { metrics: { ...off.metrics, port }, tracesUrl: 'http://127.0.0.1:1/v1/traces' }
  const end = await start(settings)
  expect(made()).toEqual(MADE)
  expect((await fetch(`http://127.0.0.1:${port}/api/metrics`)).status).toBe(200)
  await expect(start(settings)).rejects.toThrow('EADDRINUSE')
  // A collector that is away costs the spans that wait for it, and does not spoil the end.
  tracing()?.start({ name: 'left', kind: 'internal', attributes: {}, parent: null }).end({}, false)
  await end()
  await expect(fetch(`http://127.0.0.1:${port}/api/metrics`)).rejects.toThrow()
})
