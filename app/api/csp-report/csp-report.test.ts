import { expect, test } from 'vitest'
import { cspReportOf } from './csp-report.ts'

const report = (fields: object) => ({ 'csp-report': fields })

test('of a report, the directive and the origin that was blocked are told, and nothing else', () => {
  expect(
    cspReportOf(
      report({
        'effective-directive': 'img-src',
        'blocked-uri': 'https://user:word@elsewhere.example:8443/a?account=7#b',
        'document-uri': 'https://console.example/users/7',
        'script-sample': 'a secret',
      }),
    ),
  ).toEqual({ directive: 'img-src', blocked: 'https://elsewhere.example:8443' })
  expect(cspReportOf(report({ 'violated-directive': "script-src 'self'", 'blocked-uri': 'inline' }))).toEqual({
    directive: 'script-src',
    blocked: 'inline',
  })
  expect(
    cspReportOf(report({ 'effective-directive': 'img-src', 'blocked-uri': 'data:image/png;base64,AAAA' })),
  ).toEqual({
    directive: 'img-src',
    blocked: 'data:',
  })
})

test('text that somebody made up does not reach the log', () => {
  const made = ['a value\nof ours', 'constructor', 7, null, { a: 1 }]
  for (const blocked of made) {
    expect(cspReportOf(report({ 'effective-directive': 'img-src', 'blocked-uri': blocked }))?.blocked).toBe('unknown')
  }
  for (const directive of ['<b>', 'IMG-SRC', 'a'.repeat(60), '', 7, null]) {
    expect(cspReportOf(report({ 'effective-directive': directive }))).toBeNull()
  }
  for (const body of [undefined, null, 'x', [], {}, { 'csp-report': null }, { 'csp-report': [] }]) {
    expect(cspReportOf(body)).toBeNull()
  }
})
