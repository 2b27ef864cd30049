import { defineConfig } from '@playwright/test'
import short from './playwright.config.ts'

/** Pictures of every page for people to look at: `npm run screenshots`. */
export default defineConfig({
  ...short,
  testMatch: 'pictures/*.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 240_000,
  reporter: 'list',
  use: { ...short.use, actionTimeout: 20_000 },
})
