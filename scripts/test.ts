import { ensureBrowser } from './browser.ts'
import { isHistoryShallow } from './run-head.ts'
import { verify } from './test-suites.ts'

/** `npm test` installs a browser if needed; `npm run verify` passes `--as-it-is`. */
if (!process.argv.includes('--as-it-is')) ensureBrowser()
if (isHistoryShallow()) process.stdout.write('The git history is shallow: subjects of older commits are not checked.\n')
process.exitCode = (await verify()) ? 0 : 1
