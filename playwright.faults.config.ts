import { defineConfig } from '@playwright/test'
import short from './playwright.config.ts'

/** `npm run test:faults`: what breaks around the console, while changes are made. */
export default defineConfig({
  ...short,
  testMatch: '**/*.faults.ts',
  projects: [{ name: 'faults' }],
  workers: 1,
  reporter: [['list'], ['json', { outputFile: 'test-results/faults-run.json' }]],
})
