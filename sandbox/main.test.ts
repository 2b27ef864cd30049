import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SandboxProcess, startProcess } from '#sandbox/testing/sandbox-process.ts'

let sandbox: SandboxProcess

beforeAll(async () => {
  sandbox = await startProcess({ SANDBOX_DATABASE_URL: 'memory:', SANDBOX_HOST: '', SANDBOX_SEED: '' }, true)
})
afterAll(() => sandbox.end('SIGTERM'))

test('an empty variable of the sandbox counts as not set', async () => {
  const { port } = new URL(sandbox.url)
  expect((await fetch(`${sandbox.url}/health`)).status).toBe(200)
  await expect(fetch(`http://127.0.0.2:${port}/health`)).rejects.toThrow()
})

test.each(['SIGINT', 'SIGHUP'] as const)('%s of a terminal leaves the sandbox to its launcher', async (signal) => {
  sandbox.send(signal)
  await expect(sandbox.endsWithin(1_000)).resolves.toBe(false)
})
