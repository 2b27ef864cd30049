import { spawnSync } from 'node:child_process'
import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'

/** `npm run test:long`: the long forms of tests that `npm test` runs in a short form. */
ensureBrowser()
await buildIfStale()
const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'playwright.long.config.ts']
process.exitCode = spawnSync(process.execPath, playwright, { stdio: 'inherit' }).status ?? 1
