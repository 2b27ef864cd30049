import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '#lib/database/test-postgres.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function run(program: string) {
  const env = {
    NODE_ENV: 'production' as const,
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
  }
  const args = ['--conditions=react-server', resolve(`scripts/${program}.ts`)]
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env })
}

test('the doctor leaves nothing behind', async () => {
  const { stdout } = await run('doctor')
  expect(stdout).toContain('Something is wrong')
  expect(readdirSync(folder)).toEqual([])
})

test.each(['doctor', 'start'])('%s names secrets that others can read', async (program) => {
  mkdirSync(join(folder, 'data'), { mode: 0o755 })
  const { status, stdout, stderr } = await run(program)
  expect([status, stdout + stderr]).toEqual([1, expect.stringContaining("chmod -R go-rwx 'data'")])
})

test.each(['doctor', 'start', 'payer-memory-erase'])('%s names broken secrets, and shows none', async (program) => {
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  writeFileSync(join(folder, 'data/secrets.json'), '{ "AUDIT_KEY": canary }', { mode: 0o600 })
  const { status, stdout, stderr } = await run(program)
  expect([status, stdout + stderr]).toEqual([1, expect.stringContaining('data/secrets.json is not')])
  expect(stdout + stderr).not.toContain('canary')
})

test.each(['doctor', 'start', 'audit-verify'])('%s makes no keys for a store that has data', async (program) => {
  mkdirSync(join(folder, 'data/console/pgdata'), { recursive: true, mode: 0o700 })
  const { status, stdout, stderr } = await run(program)
  expect([status, stdout + stderr]).toEqual([
    1,
    expect.stringContaining('data/secrets.json lacks AUDIT_KEY and LOG_KEY of the journal in ./data/console'),
  ])
  expect(readdirSync(join(folder, 'data'))).toEqual(['console'])
})

test('a start keeps the secrets that it made', () => {
  const program = `
    import { ownSecrets } from ${JSON.stringify(resolve('scripts/own-secrets.ts'))}
    console.log(JSON.stringify(ownSecrets({ NEXTAUTH_URL: 'http://localhost:3000' }, { makesFile: true })))`
  const args = ['--conditions=react-server', '--input-type=module', '-e', program]
  const made = [1, 2].map(() => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout)
  expect(Object.keys(JSON.parse(made[0] ?? ''))).toContain('AUDIT_KEY')
  expect(made[1]).toBe(made[0])
  expect(statSync(join(folder, 'data/secrets.json')).mode & 0o777).toBe(0o600)
})
