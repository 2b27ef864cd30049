import type { Browser, Page } from '@playwright/test'
import { collectErrors, expect, expectAccessible, test } from './support/fixtures.ts'
import { signIn } from './support/sign-in.ts'

const ARBITRATOR = 'arbitrator@example.com'
const ADMIN = 'admin@example.com'

const pathOf = (caseId: string): string => `/disputes/${caseId}`

/** The case itself: the queue beside it tells who has it as well. */
const inCase = (page: Page) => page.getByRole('region', { name: 'Case', exact: true })

/** Two people of the staff who have one case open, each in a browser of their own. */
async function bothOn(
  caseId: string,
  page: Page,
  browser: Browser,
  baseURL: string | undefined,
): Promise<{ readonly other: Page; readonly close: () => Promise<void> }> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const other = await context.newPage()
  const errors = await collectErrors(other)
  await signIn(page, ARBITRATOR, pathOf(caseId))
  await signIn(other, ADMIN, pathOf(caseId))
  return {
    other,
    async close() {
      expect(errors).toEqual([])
      await context.close()
    },
  }
}

test('a case is assigned, reassigned by keyboard, taken back with its assignee named, and unassigned; the other sees each', {
  tag: '@long',
}, async ({ page, browser, baseURL, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  const { other, close } = await bothOn(caseId, page, browser, baseURL)
  await page.getByRole('button', { name: 'Assign to me', exact: true }).click()
  await expect(inCase(page).getByText('Assignee: you', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reassign', exact: true })).toBeFocused()
  await expect(inCase(other).getByText(`Assignee: ${ARBITRATOR}`, { exact: true })).toBeVisible()

  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Reassign case/ })
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: ADMIN }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(inCase(page).getByText(`Assignee: ${ADMIN}`, { exact: true })).toBeVisible()
  await expect(inCase(other).getByText('Assignee: you', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Reassign to me' }).click()
  const confirm = page.getByRole('dialog', { name: new RegExp(`from ${ADMIN} to me`) })
  await expect(confirm.getByText('Since', { exact: true })).toBeVisible()
  await confirm.getByRole('button', { name: /^Reassign case/ }).click()
  await expect(inCase(page).getByText('Assignee: you', { exact: true })).toBeVisible()
  await expect(inCase(other).getByText(`Assignee: ${ARBITRATOR}`, { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Unassign', exact: true }).click()
  await expect(inCase(page).getByText('Unassigned')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Assign to me', exact: true })).toBeVisible()
  await close()
})

test('who is second to assign a case is told who the assignee is, and since when', { tag: '@long' }, async ({
  page,
  browser,
  baseURL,
  sandbox,
}) => {
  const caseId = await sandbox.raiseCase()
  const { other, close } = await bothOn(caseId, page, browser, baseURL)
  await expect(page.getByRole('button', { name: 'Assign to me', exact: true })).toBeEnabled()
  // The page of the slower one is as old as it can be.
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await other.getByRole('button', { name: 'Assign to me', exact: true }).click()
  await expect(inCase(other).getByText('Assignee: you', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Assign to me', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: `Assigned to ${ADMIN} at ` })).toBeVisible()
  await close()
})

test('names in the head who else has the case open', {
  tag: '@long',
}, async ({ page, browser, baseURL, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  const { other, close } = await bothOn(caseId, page, browser, baseURL)
  const looking = inCase(page).getByText(`Also viewing: ${ADMIN}`, { exact: true })
  await expect(looking).toBeVisible()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(inCase(page).getByRole('definition').getByText(ADMIN, { exact: true })).toBeVisible()
  await other.goto('/deposits')
  await expect(looking).toBeHidden()
  await close()
})

test('a note survives a reload unsent, is added in its own place for all staff, and is no message', {
  tag: '@long',
}, async ({ page, browser, baseURL, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  const { other, close } = await bothOn(caseId, page, browser, baseURL)
  const notes = page.getByRole('region', { name: 'Internal notes' })
  await expect(notes.getByText('The service and the parties never see them')).toBeVisible()
  await expect(notes.getByText('No notes yet.')).toBeVisible()
  await notes.getByLabel('New internal note').fill('The courier confirms.')
  await notes.getByLabel('New internal note').blur()
  await page.reload()
  await expect(notes.getByLabel('New internal note')).toHaveValue('The courier confirms.')
  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(notes.getByRole('listitem').filter({ hasText: ARBITRATOR })).toContainText('The courier confirms.')
  await expect(notes.getByLabel('New internal note')).toHaveValue('')
  await expect(notes.getByLabel('New internal note')).toBeFocused()
  const theirs = other.getByRole('region', { name: 'Internal notes' })
  await expect(theirs.getByRole('listitem')).toContainText('The courier confirms.')
  await expectAccessible(page)

  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(notes.getByText('Enter a note.')).toBeVisible()
  await page.reload()
  await expect(notes.getByLabel('New internal note')).toHaveValue('')
  expect(await sandbox.arrived('POST', `/api/v1/Dispute/${caseId}/messages`)).toBe(0)
  await close()
})
