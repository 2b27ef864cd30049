import { defineConfig } from '@playwright/test'
import short from './playwright.config.ts'

/** `npm run test:cluster`: several processes behind a balancer. */
export default defineConfig({
  ...short,
  testMatch: '**/*.cluster.ts',
  projects: [{ name: 'cluster' }],
  workers: 1,
  timeout: 240_000,
  reporter: [['list'], ['json', { outputFile: 'test-results/cluster-run.json' }]],
})
