import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { expectAlive } from './stopwatch.ts'

/** All at once, as a paste does. */
export const paste = (page: Page, text: string): Promise<void> => page.keyboard.insertText(text)
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
export const inDialog = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name })
export const INPUT_DEVICES = ['mouse', 'keys'] as const
export type InputDevice = (typeof INPUT_DEVICES)[number]

const omnibox = (page: Page) => page.getByRole('combobox', { name: 'Go to, or look up' })
const OPEN_OMNIBOX = 'Go to, or paste any reference or id'

/** Pastes what is known into the omnibox, opened by key or by click, and opens what it found. */
export async function goTo(page: Page, text: string, found: string, way: InputDevice): Promise<void> {
  if (way === 'keys') await page.keyboard.press('/')
  else await button(page, OPEN_OMNIBOX).click()
  await expect(omnibox(page)).toBeFocused()
  await paste(page, text)
  const option = page.getByRole('option', { name: found })
  await expect(option).toHaveAttribute('aria-selected', 'true')
  if (way === 'keys') await page.keyboard.press('Enter')
  else await option.click()
}

/** By the key that confirms the open dialog. */
export async function confirmByKey(page: Page, name: RegExp): Promise<void> {
  await expect(inDialog(page, name)).toBeEnabled()
  await expect(page.getByRole('dialog').locator(':focus')).toBeAttached()
  await page.keyboard.press('Control+Enter')
}

/** Sends the form that has the focus, and confirms in its dialog. */
export async function confirmForm(page: Page, name: RegExp, way: InputDevice): Promise<void> {
  if (way === 'keys') {
    await page.keyboard.press('Enter')
    await confirmByKey(page, name)
  } else {
    await button(page, name).click()
    await inDialog(page, name).click()
  }
}

/** Opens a page on which a job begins. */
export async function begin(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expectAlive(page)
}
