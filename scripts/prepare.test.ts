import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const NPM = "import { writeFileSync } from 'node:fs'; writeFileSync('arguments', process.argv.slice(2).join(' '))"

test('installs what the build needs with NODE_ENV=production', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-prepare-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  writeFileSync(join(folder, 'npm.mjs'), NPM)
  cpSync('scripts/prepare.mjs', join(folder, 'scripts/prepare.mjs'))
  const env = { ...process.env, NODE_ENV: 'production' as const, npm_execpath: join(folder, 'npm.mjs') }
  expect(spawnSync(process.execPath, [join(folder, 'scripts/prepare.mjs')], { env }).status).toBe(0)
  expect(readFileSync(join(folder, 'arguments'), 'utf8')).toMatch(/^ci --include=dev\b/)
})
