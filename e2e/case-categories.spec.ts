import type { Page } from '@playwright/test'
import { change } from './support/case-workspace.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { confirmInDialog } from './support/keyboard.ts'
import type { SandboxControls } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { ARBITRATOR, composer, openCase, resolution, said, send } from './support/workbench.ts'

const row = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const field = (page: Page) => page.getByRole('combobox', { name: 'Category' })

async function add(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a category' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Save the category' }).click()
}

async function select(page: Page, name: string): Promise<void> {
  await field(page).click()
  await page.getByRole('option', { name, exact: true }).click()
}

async function resolve(page: Page, sandbox: SandboxControls): Promise<void> {
  await page.getByRole('button', { name: 'Refund the sender', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Refund the sender/ })
  await expect(dialog).toContainText('Never delivered')
  await expectAccessible(page)
  await confirmInDialog(page, /^Refund the sender/)
  await page.getByRole('textbox', { name: 'Code' }).fill(await sandbox.shownCode(ARBITRATOR))
  await page.keyboard.press('Enter')
}

test('a category is kept, needed for a decision, and counted', { tag: '@long' }, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await signIn(page, ARBITRATOR, '/disputes')
  await page.getByRole('link', { name: 'Categories' }).click()
  await add(page, 'Late')
  await expect(row(page, 'Late')).toContainText(`changed by ${ARBITRATOR}`)
  await add(page, 'LATE')
  await expect(page.getByText('Another category has this name.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('LATE')
  await page.getByRole('textbox', { name: 'Name' }).fill('Never delivered')
  await page.getByRole('button', { name: 'Save the category' }).click()
  await expect(row(page, 'Never delivered')).toBeVisible()
  await expectAccessible(page)

  await page.goto(`/disputes/${caseId}`)
  await page.getByText('Refund the sender', { exact: true }).first().click()
  await page.getByLabel('Reason, shown to both sides').fill('Nothing was sent that week.')
  await page.getByRole('button', { name: 'Refund the sender', exact: true }).click()
  await expect(page.getByText('Select a category.')).toBeVisible()
  await select(page, 'Late')
  // Somebody else retires it meanwhile.
  const other = await page.context().newPage()
  await other.goto('/disputes/categories')
  await row(other, 'Late').getByRole('button', { name: 'Retire' }).click()
  await expect(row(other, 'Late').getByRole('button', { name: 'Restore' })).toBeVisible()
  await other.close()
  await page.getByRole('button', { name: 'Refund the sender', exact: true }).click()
  await expect(page.getByText('This category is retired. Select another one.')).toBeVisible()
  await expect(page.getByLabel('Reason, shown to both sides')).toHaveValue('Nothing was sent that week.')
  await select(page, 'Never delivered')
  await resolve(page, sandbox)
  await expect(resolution(page)).toContainText('Never delivered')

  await page.goto('/disputes/categories')
  await expect(page.getByRole('row', { name: /Never delivered/ })).toHaveText(/Never delivered\s*1\s*1\s*0/)
  await page
    .getByRole('row', { name: /Never delivered/ })
    .getByRole('link')
    .click()
  await expect(page.getByLabel('Category', { exact: true })).toHaveValue(/[\da-f-]{36}/)
  const cases = page.getByRole('table', { name: 'Dispute cases' }).getByRole('row')
  await expect(cases).toHaveCount(2)
  await expect(cases.last()).toContainText('Never delivered')
})

test('a message asks for an answer by a time, until it comes', { tag: '@long' }, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  const inCase = page.getByRole('region', { name: 'Case', exact: true })
  await composer(page).fill('Which day was it?')
  await page.getByRole('button', { name: 'Answer by' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask for an answer' })
  await dialog.getByLabel('In 2 days').check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^Use this time/ }).click()
  const line = inCase.getByText(/^Please answer by \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/)
  const words = (await line.textContent()) ?? ''
  await expectAccessible(page)

  // Neither the text nor its deadline is lost.
  await composer(page).blur()
  await expect(page.getByText('Your draft is saved until you send it.')).toBeAttached()
  await page.reload()
  await expect(composer(page)).toHaveValue('Which day was it?')
  await expect(line).toHaveText(words)
  await send(page).click()
  await expect(said(page, `Which day was it?\n\n${words}`)).toHaveCount(1)
  await expect.poll(() => sandbox.bodiesOf(caseId)).toContain(`Which day was it?\n\n${words}`)
  await expect(inCase.getByText(/^Answer due \d+ \w+ \d\d:\d\d/)).toBeVisible()
  const item = page.locator(`[data-row="${caseId}"]`)
  await expect(item).toContainText('Answer due')

  await change(page, 'case.snooze', { caseId, until: new Date(Date.now() + 7 * 86_400_000).toISOString() })
  await expect(inCase.getByText(/^Snoozed until/)).toBeVisible()
  await sandbox.postMessage(caseId, 'ana@example.com', 'It was a Friday.')
  await expect(inCase.getByText(/^Answer due/)).toBeHidden()
  await expect(inCase.getByText(/^Snoozed until/)).toBeHidden()
  await expect(item).not.toContainText('Answer due')

  await composer(page).fill('And the hour?')
  await page.getByRole('button', { name: 'Answer by' }).click()
  await dialog.getByRole('button', { name: /^Use this time/ }).click()
  await send(page).click()
  await page.getByRole('button', { name: 'Take off the answer deadline' }).click()
  await expect(inCase.getByText(/^Answer due/)).toBeHidden()
})
