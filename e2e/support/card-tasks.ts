import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

export interface NewCard {
  readonly userId: string
  readonly cardType?: string
  readonly printedName?: string
}

export const cardNumber = (page: Page): Locator => page.getByRole('group', { name: 'Card number' })

/** The digits that are shown, without the space between them. */
export async function shownDigits(page: Page): Promise<string> {
  return ((await cardNumber(page).textContent()) ?? '').replace(/\D/g, '')
}

export async function fillNewCard(page: Page, { userId, cardType = '1', printedName = 'Ana Alvarez' }: NewCard) {
  await page.getByLabel('Holder’s user id').fill(userId)
  await giveCardType(page, cardType)
  await page.getByLabel('Printed name').fill(printedName)
}

/** From the list where the console knows the type; else by its number, in the field that is there for that. */
async function giveCardType(page: Page, cardType: string): Promise<void> {
  const list = page.getByRole('combobox', { name: 'Card type' })
  if ((await list.count()) === 0) return page.getByLabel('Card type').fill(cardType)
  const listed = (await list.locator(`option[value="${cardType}"]`).count()) > 0
  await list.selectOption(listed ? cardType : 'other')
  if (!listed) await page.getByLabel('Card type number').fill(cardType)
}

/** Fills in the fields and confirms; what comes of it is for the test to look at. */
export async function sendNewCard(page: Page, card: NewCard): Promise<void> {
  await page.goto('/cards/issue')
  await fillNewCard(page, card)
  await page.getByRole('button', { name: /^Issue a card/ }).click()
  await confirm(page, /^Issue a card/)
}

export const confirm = (page: Page, name: RegExp): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name }).click()

/** Issues a card and hands its number over; answers its id and last four digits. */
export async function issueCard(page: Page, card: NewCard): Promise<{ id: string; last4: string }> {
  await sendNewCard(page, card)
  const last4 = (await shownDigits(page)).slice(-4)
  await page.getByRole('button', { name: 'I have handed it over' }).click()
  const link = page.getByRole('link', { name: 'Open the card' })
  const id = (await link.getAttribute('href'))?.split('/').at(-1) ?? ''
  expect(id).toMatch(/^[\da-f-]{36}$/)
  return { id, last4 }
}
