import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** More stops than any page has. */
const STOPS_MAX = 120

/** Goes on with one key until something has the focus; a person can do no more. */
export async function press(page: Page, key: string, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  await expect(target).toBeEnabled()
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not reach ${target}`)
}

export const tabTo = (page: Page, target: Locator): Promise<void> => press(page, 'Tab', target)

export async function pressIn(page: Page, target: Locator, key: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Types into a field over what stands there. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

export const area = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name, exact: true })

/** In the dialog that asks for it; it is never where the focus is at first. */
export async function confirmInDialog(page: Page, name: RegExp): Promise<void> {
  const button = page.getByRole('dialog').getByRole('button', { name })
  await expect(button).not.toBeFocused()
  await pressIn(page, button, 'Enter')
}
