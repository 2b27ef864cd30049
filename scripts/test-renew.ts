import { spawnSync } from 'node:child_process'
import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'

/** `npm run test:renew`: stores anew what pages say, how they look and how many keys they take; `git diff` shows what moved. */
ensureBrowser()
await buildIfStale()
const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--update-snapshots=changed']
const runs = [
  [...playwright, 'pages.spec'],
  [...playwright, '--config', 'playwright.long.config.ts', 'looks.spec', 'stopwatch'],
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'console', 'scripts/keyboard-document.test.ts', '-u'],
]
const ends = runs.map((run) => spawnSync(process.execPath, run, { stdio: 'inherit' }).status)
process.exitCode = ends.every((status) => status === 0) ? 0 : 1
