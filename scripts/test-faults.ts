import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { tellFigures } from './figures.ts'

/** `npm run test:faults`: what breaks around the console while changes are made. */
ensureBrowser()
await buildIfStale()
tellFigures('faults')
