import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { signIn } from './support/sign-in.ts'
import { ARBITRATOR, connection } from './support/workbench.ts'

const inCase = (page: Page) => page.getByRole('region', { name: 'Case', exact: true })
const caseOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

test('from the queue to a resolved case and on to the next takes twelve keys beside what is written', async ({
  page,
  sandbox,
}) => {
  await signIn(page, ARBITRATOR, '/disputes')
  await expect(page.getByRole('button', { name: 'Assign the oldest to me' })).toBeEnabled()
  let keys = 0
  const press = async (key: string) => {
    keys += 1
    await page.keyboard.press(key)
  }
  await press('j')
  await press('Enter')
  await expect(connection(page, 'Live')).toBeVisible({ timeout: 20_000 })
  const first = caseOf(page)
  await press('r')
  await press('Space')
  await expect(page.getByRole('radio', { name: 'Refund the sender' })).toBeChecked()
  await press('Tab')
  await expect(page.getByLabel('Reason, shown to both sides')).toBeFocused()
  await page.keyboard.type('Nothing was sent that week.')
  await press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: /^Refund the sender/ })
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
  await press('Shift+Tab')
  await press('Shift+Tab')
  await expect(dialog.getByRole('button', { name: 'Resolve and open the next' })).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused()
  await page.keyboard.type(await sandbox.shownCode(ARBITRATOR))
  await press('Enter')
  await expect(page).not.toHaveURL(new RegExp(first), { timeout: 30_000 })
  expect(keys).toBeLessThanOrEqual(12)
  await expect(inCase(page).getByText('Assignee: you', { exact: true })).toBeVisible()
  await expect(inCase(page).getByText('This is the next one, and you are its assignee.')).toBeVisible()
  expect((await sandbox.casesThatAre('RESOLVED')).map(({ id }) => id)).toContain(first)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})
