import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Needs no window system, which saves much of the test time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

const SYSTEM_BROWSERS = [
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const systemChromium = (): string | null => SYSTEM_BROWSERS.find((path) => existsSync(path)) ?? null

/** Prefers Debian's headless shell, then an installed Chromium, then Playwright's. */
export function ensureBrowser(): void {
  if (existsSync(HEADLESS_SHELL) || installHeadlessShell() || systemChromium() !== null) return
  const args = ['node_modules/@playwright/test/cli.js', 'install', '--only-shell', 'chromium']
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) {
    throw new Error('No Chromium could be installed. Install Chromium or Google Chrome and run this again.')
  }
}

function installHeadlessShell(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  process.stdout.write('Installing a browser for the tests; this happens once.\n')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => spawnSync('apt-get', args, { stdio: 'ignore', env }).status === 0
  return (
    apt('update', '-qq') &&
    apt('install', '-y', '-qq', '--no-install-recommends', HEADLESS_SHELL.replace('/usr/bin/', ''))
  )
}
