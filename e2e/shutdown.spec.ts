import { expect, test } from './support/fixtures.ts'
import { askRaw, sendRaw } from './support/raw.ts'

/** A request whose body never comes whole. */
const HALF =
  'POST /api/session/back-channel-logout HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nl'

test('half-sent requests do not keep a console that is told to stop', { tag: '@long' }, async ({ programs }) => {
  const sockets = [
    sendRaw(programs.consoleUrl, HALF),
    sendRaw(programs.consoleUrl, 'POST /api/commands HTTP/1.1\r\nHost: localhost\r\n'),
    sendRaw(programs.consoleUrl, 'GET / HTTP/1.1\r\nHost'),
    sendRaw(programs.consoleUrl, HALF.replace('Content-Length: 100', 'Content-Length: 5000000')),
  ]
  await Promise.all(sockets.map((socket) => new Promise((done) => socket.once('connect', done))))
  await expect.poll(() => sockets.every((socket) => socket.bytesWritten > 0)).toBe(true)
  const printed = programs.console.printed.length
  expect(await programs.console.stop('SIGTERM')).toBe(0)
  expect(programs.console.printed.slice(printed)).toContain('"event":"journal-end"')
  for (const socket of sockets) socket.destroy()
  await programs.console.start()
})

test('a body that does not come is answered with 408', { tag: '@long' }, async ({ programs }) => {
  const { status, headers } = await askRaw(programs.consoleUrl, HALF)
  expect(status).toBe(408)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-frame-options')).toBe('DENY')
})
