import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The machine's own Chromium; null when it has none. */
export const systemChromium = (): string | null => SYSTEM_BROWSERS.find((path) => existsSync(path)) ?? null

const hasPlaywrightChromium = (): boolean => existsSync(chromium.executablePath())

/** Makes sure that there is a browser: the machine's own, else Playwright's, else Debian's package when root. */
export function ensureBrowser(): void {
  if (systemChromium() !== null || hasPlaywrightChromium()) return
  process.stdout.write('Installing a browser for the tests; this happens once.\n')
  const installed = spawnSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], {
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  if (installed.status === 0) return
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error('No Chromium could be installed. Install Chromium or Google Chrome and run this again.')
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
  ]) {
    execFileSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  }
}
