import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { knownLabels, readings } from '#lib/console-telemetry.ts'
import { startMetrics } from './metrics.ts'
import { SPAN_ATTRIBUTES } from './spans.ts'

const registry = startMetrics(knownLabels, readings)
const names = registry.getMetricsAsArray().map(({ name }) => name)
afterAll(() => {
  for (const name of ['meters', 'metrics']) putPerProcess(name, undefined)
})

const document = readFileSync('docs/watching.md', 'utf8')
const alerts = readFileSync('deploy/prometheus/alerts.yml', 'utf8')
const dashboard = readFileSync('deploy/grafana/operator-console.json', 'utf8')

const rowsUnder = (heading: string): string[][] =>
  (document.split(`## ${heading}\n`)[1] ?? '')
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))

test('the document names every metric of the console, with its labels', () => {
  const own = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('console_'))
  const labelsOf = (metric: object): string =>
    (metric as { readonly labelNames: readonly string[] }).labelNames.join(', ')
  expect(own.length).toBeGreaterThan(10)
  expect(
    rowsUnder('Metrics')
      .map(([, name, labels]) => [name, labels])
      .sort(),
  ).toEqual(own.map((metric) => [metric.name, labelsOf(metric)]).sort())
})

/** Histograms are asked for by what they are made of. */
const metricsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\b(?:console|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name.replace(/_bucket$/, '')),
  ),
]

test.each([
  ['the dashboard', dashboard],
  ['the alerts', alerts],
])('%s asks for metrics that there are', (_name, text) => {
  expect(metricsIn(text).length).toBeGreaterThan(8)
  expect(metricsIn(text).filter((name) => !names.includes(name))).toEqual([])
})

test('every alert says what it means and what to do, and the document has the same alerts', () => {
  const rules = alerts.split('- alert: ').slice(1)
  for (const rule of rules) expect(rule).toMatch(/summary: \S[^\n]+\n +action: \S[^\n]+/)
  expect(rowsUnder('Alerts').map(([, alert]) => alert)).toEqual(rules.map((rule) => rule.split('\n')[0]))
  for (const cells of rowsUnder('Alerts')) expect(cells.slice(2, 4)).not.toContain('')
})

test('the document names all that a span may say', () => {
  const named = /All that a span says: ([^.]+(?:\.\w+[^.]*)*?)\. A collector/s.exec(document)?.[1] ?? ''
  expect([...named.matchAll(/`([\w.]+)`/g)].map(([, name]) => name)).toEqual([...SPAN_ATTRIBUTES])
})
