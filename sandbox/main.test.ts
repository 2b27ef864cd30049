import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '#sandbox/testing/sandbox-process.ts'

test('an empty variable of the sandbox counts as not set', async () => {
  const sandbox = await startProcess({ SANDBOX_DATABASE_URL: 'memory:', SANDBOX_HOST: '', SANDBOX_SEED: '' })
  onTestFinished(() => sandbox.end('SIGTERM'))
  const { port } = new URL(sandbox.url)
  expect((await fetch(`${sandbox.url}/health`)).status).toBe(200)
  await expect(fetch(`http://127.0.0.2:${port}/health`)).rejects.toThrow()
})
