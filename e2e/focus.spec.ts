import { expect, test } from './support/fixtures.ts'
import { historyRows, historyTable } from './support/history.ts'
import { Holder } from './support/holder.ts'
import { PASSWORD } from './support/sandbox-controls.ts'
import { signIn, signInWithPassword } from './support/sign-in.ts'
import { alive } from './support/table.ts'

const OPERATOR = 'operator@example.com'

/** The main field of a page, how many Tabs lead from it to the button, and the button. */
const mainFields = [
  ['/deposits', 'Reference', 1, 'Look up'],
  ['/transactions', 'Reference', 1, 'Look up'],
  ['/users', 'User id', 1, 'Look up'],
  ['/cards', 'Search cards', 1, 'Search'],
  ['/terminals', 'Merchant', 1, 'Look up'],
] as const

test('a page with one main field has the focus there, and its button is near', { tag: '@long' }, async ({
  page,
  sandbox: _reset,
}) => {
  await signIn(page, OPERATOR, '/')
  for (const [path, label, tabs, button] of mainFields) {
    await page.goto(path)
    await expect(page.getByRole('textbox', { name: label, exact: true }), path).toBeFocused()
    await expect(page.getByRole('button', { name: button })).toBeEnabled()
    for (let pressed = 0; pressed < tabs; pressed += 1) await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: button }), path).toBeFocused()
  }
  await page.goto('/cards/issue')
  await expect(page.getByLabel('Holder’s user id')).toBeFocused()
})

test('after a wrong password, a look-up, a link and Back the focus is where one goes on', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signInWithPassword(page, OPERATOR, `${PASSWORD}?`)
  await expect(page.getByText('Wrong e-mail address or password.')).toBeVisible()
  await expect(page.getByLabel('Password')).toBeFocused()

  const reference = await sandbox.announceDeposit('ana@example.com', '12')
  await signIn(page, OPERATOR, '/')
  await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Deposits' }).click()
  const field = page.getByRole('textbox', { name: 'Reference', exact: true })
  await expect(field).toBeFocused()
  await field.fill('DEP-NOT-THERE')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Not found, or not visible to you')).toBeVisible()
  await expect(field).toBeFocused()
  await field.fill(reference)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Bank’s reference')).toBeFocused()

  const way = page.getByRole('link', { name: reference, exact: true })
  await way.click()
  await expect(page.getByRole('heading', { name: 'Transaction', exact: true })).toBeFocused()
  await page.goBack()
  await expect(way).toBeFocused()

  await page.goto('/terminals')
  await page.getByRole('textbox', { name: 'Merchant' }).fill('merchant-002')
  await page.keyboard.press('Enter')
  await expect(page.locator('section:focus')).toContainText('Terminals of merchant-002')
})

test('c copies what has the focus, and what is selected is copied as it is', { tag: '@long' }, async ({
  context,
  page,
  programs,
  sandbox: _reset,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const holder = await Holder.register(programs.sandboxUrl)
  const [reference = ''] = await holder.deposits(2)
  await signIn(page, OPERATOR, `/users/${holder.id}`)
  await alive(page)
  const row = historyRows(page).filter({ hasText: reference })
  await row.getByRole('link').first().focus()
  // Shown briefly, so it is waited for before the key.
  await Promise.all([row.getByText('Copied').waitFor(), page.keyboard.press('c')])
  expect(await copied()).toBe(reference)
  // None of what copies is a stop of Tab; the arrow keys reach it.
  expect(await historyTable(page).locator('[data-copy]:not([tabindex="-1"])').count()).toBe(0)
  await page.keyboard.press('ArrowRight')
  await expect(row.getByRole('button', { name: 'copy Reference' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(row.getByRole('link').first()).toBeFocused()

  await historyTable(page).selectText()
  await page.keyboard.press('ControlOrMeta+c')
  const text = await copied()
  expect(text).toContain(reference)
  expect(text).not.toMatch(/copy|Copied|move between rows/i)
  expect(text).toMatch(/\n2\.00 BZD\n/)
  // The head of a column that shows none.
  expect(text).toMatch(/Fee\s+Note\s+DEP/)
})
