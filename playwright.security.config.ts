import { defineConfig } from '@playwright/test'
import short from './playwright.config.ts'

/** All forms of the tests that `npm run test:security` names, short and long. */
export default defineConfig({
  ...short,
  workers: 2,
  timeout: 600_000,
  grepInvert: [],
  reporter: [['list'], ['json', { outputFile: 'test-results/security-browser.json' }]],
})
