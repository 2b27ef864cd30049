import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { SEED_PASSWORD } from '#sandbox/seed/people.ts'
import { systemChromium } from '../scripts/browser.ts'
import { ARBITRATOR } from './measured-pages.ts'

export function launchBrowser(): Promise<Browser> {
  const executablePath = systemChromium()
  return chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
}

export const newContext = (browser: Browser, baseURL: string): Promise<BrowserContext> =>
  browser.newContext({ baseURL, viewport: { width: 1440, height: 900 } })

export async function signedInPage(browser: Browser, consoleUrl: string): Promise<Page> {
  const page = await (await newContext(browser, consoleUrl)).newPage()
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(ARBITRATOR)
  await page.getByLabel('Password').fill(SEED_PASSWORD)
  await page.getByRole('button', { name: 'Sign in with a password' }).click()
  await page.getByRole('button', { name: /^Account:/ }).waitFor()
  return page
}
