import { defineConfig } from '@playwright/test'
import short from './playwright.config.ts'

/** The long forms of tests whose short forms run with all the others, and the tests that look closer with `TEST_LONG`. */
export default defineConfig({ ...short, workers: 1, timeout: 900_000, grepInvert: [], grep: /@long|reads? well/ })
