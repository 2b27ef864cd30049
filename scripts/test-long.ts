import { spawnSync } from 'node:child_process'
import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'

/** `npm run test:long`: the long forms of tests that `npm test` runs in a short form. */
ensureBrowser()
await buildIfStale()
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.long.config.ts']
const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'playwright.long.config.ts']
const env = { ...process.env, TEST_LONG: 'on' }
const ends = [vitest, playwright].map(
  (program) => spawnSync(process.execPath, program, { stdio: 'inherit', env }).status,
)
process.exitCode = ends.every((status) => status === 0) ? 0 : 1
