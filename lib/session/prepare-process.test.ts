import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { putPerProcess } from '#lib/config/per-process.ts'
import { putHttpServer } from '#lib/http/http-server.ts'
import { shutDownOnSignal } from './prepare-process.ts'

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
