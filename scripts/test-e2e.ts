import { spawnSync } from 'node:child_process'
import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'

/** `npm run test:e2e [pattern]`: the browser tests alone, against a build of what is here. */
ensureBrowser()
await buildIfStale()
const playwright = ['node_modules/@playwright/test/cli.js', 'test', ...process.argv.slice(2)]
process.exitCode = spawnSync(process.execPath, playwright, { stdio: 'inherit' }).status ?? 1
