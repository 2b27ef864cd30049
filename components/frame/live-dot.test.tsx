import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ConnectionState } from '#components/stream/event-stream-client.ts'
import { LiveDot, liveLook } from './live-dot.tsx'

const SINCE = '2026-11-27T10:42:30.000Z'
const SILENT = 'Service not answering since 10:42 UTC'

test.each<[ConnectionState, string | null, string]>([
  ['opening', null, 'Connecting'],
  ['live', null, 'Live'],
  ['polling', null, 'Checking every 5 s'],
  ['offline', null, 'Reconnecting'],
  ['session-over', null, 'Signed out'],
  ['refused', null, 'Not live'],
  ['live', SINCE, SILENT],
  ['polling', SINCE, SILENT],
  ['offline', SINCE, 'Reconnecting'],
  ['session-over', SINCE, 'Signed out'],
])('%s, silent since %s, is "%s"', (connection, silentSince, word) => {
  expect(liveLook(connection, silentSince, 'utc').word).toBe(word)
})

test('every state but the usual ones asks for attention', () => {
  const meaningOf = (connection: ConnectionState, silentSince: string | null = null) =>
    liveLook(connection, silentSince, 'utc').meaning
  expect([meaningOf('opening'), meaningOf('live')]).toEqual(['neutral', 'neutral'])
  for (const state of ['polling', 'offline', 'session-over', 'refused'] as const) {
    expect(meaningOf(state)).toBe('attention')
  }
  expect(meaningOf('live', SINCE)).toBe('attention')
})

test('claims nothing before the page is connected', () => {
  const html = renderToStaticMarkup(<LiveDot />)
  expect(html).toContain('role="status" aria-live="off"')
  expect(html.replace(/<[^>]+>/g, '')).toBe('Connecting')
  expect(html).toContain('<svg')
})
