import { defineConfig } from '@playwright/test'
import short from './playwright.config.ts'

/** Waits for ten minutes, and asks little of the machine meanwhile. */
const OUTAGE = '**/outage.faults.ts'

/** `npm run test:faults`: what breaks around the console, while changes are made. */
export default defineConfig({
  ...short,
  workers: 2,
  fullyParallel: false,
  projects: [
    { name: 'outage', testMatch: OUTAGE, workers: 1 },
    { name: 'faults', testMatch: '**/*.faults.ts', testIgnore: OUTAGE, workers: 1 },
  ],
  reporter: [['list'], ['json', { outputFile: 'test-results/faults-run.json' }]],
})
