import { defineConfig } from '@playwright/test'
import short from './playwright.config.ts'

/** The long forms of tests whose short forms run with all the others. */
export default defineConfig({
  ...short,
  workers: 1,
  timeout: 900_000,
  projects: [
    { name: 'long', testMatch: '**/*.long.ts' },
    { name: 'every width in both themes', testMatch: '**/*.spec.ts', grep: /reads? well/ },
  ],
})
