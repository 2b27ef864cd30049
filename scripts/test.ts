import { ensureBrowser } from './browser.ts'
import { verify } from './verify.ts'

/** `npm test` installs a browser if there is none; `npm run verify` takes the machine as it is. */
if (!process.argv.includes('--as-it-is')) ensureBrowser()
process.exitCode = (await verify()) ? 0 : 1
