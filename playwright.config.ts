import { defineConfig } from '@playwright/test'
import type { ProgramOptions } from './e2e/support/fixtures.ts'
import { systemChromium } from './scripts/browser.ts'

const executablePath = systemChromium()

/** These are about the store's files, or about what a process that ends leaves in them. */
const EMBEDDED = ['custody', 'card-custody', 'two-factor-custody', 'recovery'].map((name) => `**/${name}.spec.ts`)
const WITH_CODES = '**/step-up.spec.ts'

export default defineConfig<Record<never, never>, ProgramOptions>({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  grepInvert: /@long/,
  // Emptied by each run: what other commands leave in `test-results` stays.
  outputDir: 'test-results/browser',
  // One file for every platform: what pages say and how they look does not depend on it.
  snapshotPathTemplate: '{testDir}/stored/{arg}{ext}',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Timeouts end what hangs: a test waits for a condition, however busy the machine is.
  timeout: 420_000,
  expect: { timeout: 90_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  // Programs of another kind take seconds to start, so one worker each runs all that need them.
  projects: [
    { name: 'embedded', testMatch: EMBEDDED, workers: 1, use: { engine: 'embedded' } },
    {
      name: 'codes for deposits',
      testMatch: WITH_CODES,
      workers: 1,
      use: { consoleEnvironment: { STEP_UP_EXTRA: 'deposit.confirm' } },
    },
    { name: 'PostgreSQL', testIgnore: [...EMBEDDED, WITH_CODES] },
  ],
  use: {
    locale: 'en-GB',
    timezoneId: 'America/Belize',
    trace: 'off',
    screenshot: 'off',
    launchOptions: {
      ...(executablePath === null ? {} : { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page of a test lives for seconds: what compiles its scripts further, or paints in threads, costs more than it gains.
        '--js-flags=--no-turbofan --no-maglev --single-threaded-gc',
        '--in-process-gpu',
        '--num-raster-threads=1',
      ],
    },
  },
})
