import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { hasPackages } from './debian-packages.ts'
import { tellFigures } from './test-figures.ts'

/** `npm run test:faults`: what breaks around the console while changes are made. */
if (hasPackages({ faketime: '/usr/lib/*/faketime/libfaketimeMT.so.1' })) {
  ensureBrowser()
  await buildIfStale()
  tellFigures('faults')
} else process.exitCode = 1
