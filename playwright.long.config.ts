import { defineConfig } from '@playwright/test'
import short from './playwright.config.ts'

/** The long forms of tests whose short forms run with all the others. */
export default defineConfig({ ...short, testMatch: '**/*.long.ts', workers: 1, timeout: 900_000 })
