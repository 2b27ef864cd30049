import { defineConfig } from '@playwright/test'
import { systemChromium } from './scripts/browser.ts'

const executablePath = systemChromium()

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  grepInvert: /@long/,
  outputDir: 'test-results',
  // One file for every platform: what pages say and how they look does not depend on it.
  snapshotPathTemplate: '{testDir}/stored/{arg}{ext}',
  workers: 3,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
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
