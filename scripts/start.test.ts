import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

test.each([
  ['x', 'SANDBOX_PORT must be a whole number from 1 to 65535'],
  ['70000', 'SANDBOX_PORT must be a whole number from 1 to 65535'],
  ['3100', 'SANDBOX_PORT must differ from PORT'],
])('names a wrong port of the sandbox: %s', (port, why) => {
  const env = { NODE_ENV: 'production' as const, PORT: '3100', SANDBOX_PORT: port }
  const args = ['--conditions=react-server', resolve('scripts/start.ts')]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: tmpdir(), encoding: 'utf8', env })
  expect([status, stderr]).toEqual([1, expect.stringContaining(why)])
})
