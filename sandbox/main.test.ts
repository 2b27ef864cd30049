import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '#sandbox/testing/sandbox-process.ts'

test('an empty variable of the sandbox counts as not set', async () => {
  const sandbox = await startProcess({ SANDBOX_DATABASE_URL: 'memory:', SANDBOX_HOST: '', SANDBOX_SEED: '' })
  onTestFinished(() => sandbox.end('SIGTERM'))
  const { port } = new URL(sandbox.url)
  expect((await fetch(`${sandbox.url}/health`)).status).toBe(200)
  await expect(fetch(`http://127.0.0.2:${port}/health`)).rejects.toThrow()
})

test.each(['SIGINT', 'SIGHUP'] as const)('%s of a terminal leaves the sandbox to its launcher', async (signal) => {
  const sandbox = await startProcess({ SANDBOX_DATABASE_URL: 'memory:' }, true)
  onTestFinished(() => sandbox.end('SIGTERM'))
  sandbox.send(signal)
  await expect(sandbox.endsWithin(1_000)).resolves.toBe(false)
})
