import { createServer } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { config } from '#lib/config/config.ts'
import { putPerProcess } from '#lib/config/per-process.ts'
import { putHttpServer } from '#lib/http/http-server.ts'
import { prepareLog, sequenceAll } from '#lib/journal/sequencer.ts'
import { configureForTest, freshConsole } from '#lib/testing/test-console.ts'
import { prepareProcess, shutDownOnSignal } from './prepare-process.ts'
import { recordStart } from './process-trail.ts'

test('ends in order also when its terminal is closed', () => {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]))
  const ofChannel = process.listeners('disconnect')
  onTestFinished(() => {
    putPerProcess('server', undefined)
    for (const [signal, known] of before)
      for (const listener of process.listeners(signal)) if (!known.includes(listener)) process.off(signal, listener)
    for (const listener of process.listeners('disconnect'))
      if (!ofChannel.includes(listener)) process.off('disconnect', listener)
  })
  putHttpServer({ server: createServer(), finish: async () => {}, styleSheets: () => [] })
  const step = async () => {}
  shutDownOnSignal({ finishChanges: step, printHead: step, endTelemetry: step })
  const added = signals.filter((signal) => process.listenerCount(signal) === (before.get(signal)?.length ?? 0) + 1)
  expect(added).toEqual(signals)
})

test('a start with the AUDIT_KEY of another log ends', async () => {
  await freshConsole()
  await recordStart()
  await sequenceAll()
  configureForTest({ DATABASE_URL: config().databaseUrl, AUDIT_KEY: Buffer.alloc(32, 9).toString('base64') })
  expect(await failedStart()).toContain('the latest events of the log were not written with this AUDIT_KEY')
})

test('a start with the LOG_KEY of another log ends', async () => {
  const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')
  const [old, next, other] = [keyOf(7), keyOf(8), keyOf(9)]
  const { databaseUrl: DATABASE_URL } = await freshConsole({ LOG_KEY: old })
  const startWith = (LOG_KEY: string) => configureForTest({ DATABASE_URL, LOG_KEY })
  await sequenceAll()
  startWith(other)
  expect(await failedStart()).toContain('the latest checkpoint of the log was not signed with this LOG_KEY')
  for (const keys of [`${next},${old}`, next]) {
    startWith(keys)
    await prepareLog()
    await recordStart()
    await sequenceAll()
  }
  startWith(old)
  expect(await failedStart()).toContain('not signed with this LOG_KEY')
})

test('a start that would rename the signed log ends', async () => {
  const at = (host: string) => ({ NEXTAUTH_URL: `https://${host}`, OIDC_CLIENT_SECRET: 'x', ALLOW_EMBEDDED: 'on' })
  const { databaseUrl: DATABASE_URL } = await freshConsole(at('old.example'))
  await sequenceAll()
  configureForTest({ DATABASE_URL, ...at('new.example') })
  expect(await failedStart()).toContain('LOG_ORIGIN=old.example')
  for (const LOG_ORIGIN of ['old.example', 'new.example']) {
    configureForTest({ DATABASE_URL, ...at('new.example'), LOG_ORIGIN })
    await prepareLog()
  }
})

async function failedStart(): Promise<string> {
  const ended = new Error('ended')
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw ended
  })
  try {
    await expect(prepareProcess()).rejects.toBe(ended)
    expect(exit).toHaveBeenCalledWith(1)
    return written.mock.calls.join('')
  } finally {
    exit.mockRestore()
    written.mockRestore()
  }
}
