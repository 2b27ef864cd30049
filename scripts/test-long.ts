import { spawnSync } from 'node:child_process'
import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { saveTable } from './run-head.ts'

/** `npm run test:long`: the long forms of tests that `npm test` runs in a short form. */
ensureBrowser()
await buildIfStale()

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.long.config.ts']
const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'playwright.long.config.ts']
const env = { ...process.env, TEST_LONG: 'on' }
const rows = ['| tests | result | minutes |', '| --- | --- | --- |']

function passes(name: string, program: readonly string[]): boolean {
  const began = performance.now()
  const { status } = spawnSync(process.execPath, program, { stdio: 'inherit', env })
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  rows.push(`| ${name} | ${status === 0 ? 'passed' : 'FAILED'} | ${minutes} |`)
  return status === 0
}

const ends = [passes('unit, property and sandbox tests', vitest), passes('end-to-end tests', playwright)]
saveTable('test-results/tests-long.md', rows)
process.exitCode = ends.every(Boolean) ? 0 : 1
