import type { Page } from '@playwright/test'
import { workspaceOf } from './support/case-workspace.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { signIn } from './support/sign-in.ts'
import { alive } from './support/table.ts'
import { ARBITRATOR, connection } from './support/workbench.ts'

test('shows similar decisions once a reason is written', { tag: '@long' }, async ({ page, sandbox }) => {
  const [decided, open] = [await sandbox.raiseCase(), await sandbox.raiseCase()]
  await signIn(page, ARBITRATOR, `/disputes/${decided}`)
  await expect(connection(page, 'Live')).toBeVisible()
  const reason = page.getByLabel('Reason, shown to both sides')
  const show = page.getByRole('button', { name: 'Show similar decisions' })
  await expect(show).toHaveAttribute('aria-disabled', 'true')
  await expect(show).toHaveAccessibleDescription('Write your reason first.')
  await page.getByText('Refund the sender').first().click()
  await reason.fill('The courier never had a parcel.')
  await show.click()
  await expect(page.getByText('No similar case was decided in this console.')).toBeVisible()
  await reason.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: /^Refund the sender/ })
  await dialog.getByRole('button', { name: 'Refund the sender' }).click()
  await page.getByRole('textbox', { name: 'Code' }).fill(await sandbox.shownCode(ARBITRATOR))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Resolution' })).toBeVisible()

  await page.goto(`/disputes/${open}`)
  await expect(connection(page, 'Live')).toBeVisible()
  await reason.fill('Nothing was sent.')
  await show.click()
  const found = page.getByRole('listitem').filter({ hasText: 'The courier never had a parcel.' })
  await expect(found).toContainText('Refunded the sender')
  await expect(found).toContainText('same two parties')
  await expect(found.getByRole('link')).toHaveAttribute('href', `/disputes/${decided}`)
  await expectAccessible(page)
  await found.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(decided))
  await page.goBack()
  await expect(reason).toHaveValue('Nothing was sent.')
})

test('warns before a case is assigned to someone away', { tag: '@long' }, async ({
  page,
  browser,
  programs,
  sandbox,
}) => {
  const caseId = await sandbox.raiseCase()
  const day = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)
  const colleague = await (await browser.newContext({ baseURL: programs.consoleUrl })).newPage()
  await signIn(colleague, 'admin@example.com', '/security')
  await workspaceOf(colleague, caseId)
  await signIn(page, ARBITRATOR, '/disputes')
  await alive(page)
  const setAway = async (by: Page, name: string) => {
    await by.getByRole('button', { name: 'Per person' }).click()
    await by.getByRole('button', { name: `Away… ${name}` }).click()
    await by.getByLabel('Away until').fill(day)
    await by.getByLabel('Away until').press('Enter')
    await expect(by.getByRole('button', { name: `Away… ${name}` })).toBeFocused()
  }
  await colleague.goto('/disputes')
  await alive(colleague)
  await setAway(colleague, 'admin@example.com')
  await page.getByRole('button', { name: 'Per person' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'admin@example.com' })
  await expect(row).toContainText(`away until ${day}`)
  await expect(row.getByRole('button', { name: /^Away…/ })).toHaveCount(0)
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('checkbox', { name: 'Select all cases of this page' }).check()
  await page.getByRole('button', { name: 'Assign to…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^admin@example\.com/ }).check()
  await expect(dialog).toContainText(`admin@example.com is away until ${day}.`)
  await expect(dialog.getByRole('button', { name: 'Assign to admin@example.com anyway' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await colleague.keyboard.press('Escape')
  await setAway(colleague, ARBITRATOR)
  await page.getByRole('button', { name: 'Assign the next case to me' }).click()
  await expect(page.getByText(`You are away until ${day}, so no case was assigned.`)).toBeVisible()
  await expect(page).toHaveURL(/\/disputes$/)
  await page.getByRole('button', { name: 'Assign anyway' }).click()
  await expect(page).toHaveURL(/\/disputes\/[\w-]{36}/)
  await colleague.context().close()
})
