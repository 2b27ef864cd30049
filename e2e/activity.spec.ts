import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { confirmDeposit } from './support/deposit-tasks.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'

test('shows a change on Home, in Activity and in exports', { tag: '@long' }, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '1250.00')
  await signIn(page, OPERATOR, '/')
  const done = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Done by me' }) })
  const work = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Work' }) })
  await expect(done).toBeVisible()
  const elsewhere = await page.context().newPage()
  await confirmDeposit(elsewhere, reference, 'BZD 1,250.00')
  await elsewhere.close()
  const row = done.getByRole('listitem').filter({ hasText: 'Confirm deposit of 1,250.00 BZD' })
  await expect(row).toContainText('done')
  await expect(work.getByRole('listitem').filter({ hasText: /hold ends.*1,250\.00/ })).toContainText(/in 2[34] h/)
  await expectAccessible(page)

  await page.goto('/activity')
  await page.getByLabel('Reference or id').fill(`atl-${reference}`)
  await page.getByLabel('Kind').selectOption('deposit.confirm')
  await page.getByLabel('From', { exact: true }).fill('2026-01-01')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page).toHaveURL(/kind=deposit\.confirm&from=2026-01-01&zone=[\w%]+&text=atl-/)
  const changes = page.getByRole('table', { name: 'Activity' })
  await expect(changes.locator('[data-row]')).toHaveCount(1)
  await expect(changes.locator('[data-row]')).toContainText('1,250.00')
  await expectAccessible(page)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export JSON' }).click(),
  ])
  await expect(page.getByText('has 1 row.')).toBeVisible()
  const file = JSON.parse(await readFile(await download.path(), 'utf8')) as unknown
  expect(file).toMatchObject([{ about: reference, amount: '1250.00000000', outcome: 'done', person: OPERATOR }])

  await page.getByRole('button', { name: 'Check the journal' }).click()
  await expect(page.getByText(/events checked at/)).toBeVisible()

  await changes.getByRole('link', { name: /^Confirm deposit/ }).click()
  await expect(page).toHaveURL(/&open=[\da-f-]{36}$/)
  const record = page.getByRole('region', { name: 'Change', exact: true })
  await expect(record.getByRole('listitem')).toContainText([
    new RegExp(`Prepared.*by ${OPERATOR}`),
    new RegExp(`Sent.*by ${OPERATOR}`),
    /Done.*by the console.*Trace/,
  ])
  await expect(record.getByText(`ATL-${reference}`)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(record).toHaveCount(0)
  await expect(changes.getByRole('link', { name: /^Confirm deposit/ })).toBeFocused()

  await page.getByLabel('Person').fill('nobody')
  await page.getByRole('link', { name: 'Clear', exact: true }).click()
  await expect(page).toHaveURL('/activity')
  await expect(page.getByLabel('Person')).toHaveValue('')
  await expect(page.getByRole('button', { name: 'Show', exact: true })).toBeFocused()
})

test('whoever may not see a change finds nothing of it, and no check of the journal', async ({ page }) => {
  await signIn(page, 'viewer@example.com', '/activity?kind=deposit.confirm&outcome=nonsense')
  await expect(page.getByText('“nonsense” is not an outcome, so all are shown.')).toBeVisible()
  await expect(page.getByText('No activity matches this filter.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Check the journal' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Export CSV' })).toHaveCount(0)
})

test('lists audit entries among changes, by the viewer’s scopes', {
  tag: '@long',
}, async ({ page, browser, programs }) => {
  await signIn(page, OPERATOR, '/activity')
  const activity = page.getByRole('table', { name: 'Activity' })
  await page.getByLabel('Kind').selectOption('session.sign-in')
  await page.getByLabel('Person').fill('me')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page).toHaveURL(/person=me&kind=session\.sign-in/)
  await page.getByRole('link', { name: 'Today' }).click()
  await expect(page).toHaveURL(/person=me&kind=session\.sign-in&from=today&to=today&zone=[\w%]+/)
  await expect(page.getByRole('link', { name: 'Today' })).toHaveAttribute('aria-current', 'true')
  const signedIn = activity.getByRole('link', { name: /^Signed in by / }).first()
  await expect(signedIn).toBeVisible()
  await signedIn.click()
  await expect(page.getByText('Signed in by', { exact: true })).toBeVisible()
  const entry = (await signedIn.getAttribute('href')) ?? ''
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open your sessions' }).click()
  await expect(page).toHaveURL('/security')

  const other = await (await browser.newContext({ baseURL: programs.consoleUrl })).newPage()
  await signIn(other, 'viewer@example.com', `/activity?person=${OPERATOR}`)
  await expect(other.getByText('No activity matches this filter.')).toBeVisible()
  expect((await other.goto(entry))?.status()).toBe(404)
  await other.context().close()
})

test('erases the text of a change once an administrator approves', { tag: '@long' }, async ({
  page,
  browser,
  programs,
}) => {
  const card = randomUUID()
  await signIn(page, OPERATOR, `/cards/${card}`)
  await page.getByLabel('Reason').fill('Reported by Dolores Canary')
  await page.getByRole('button', { name: /^Block/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Block/ })
    .click()
  await expect(page.getByText('Card not found, or not visible to you').first()).toBeVisible()
  await page.goto(`/activity?text=${card}`)
  const title = `Block card …${card.slice(-6)}`
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('link', { name: 'Open the full page' }).click()
  await expect(page).toHaveURL(/\/activity\/[\da-f-]{36}$/)
  await expect(page.getByText('Reported by Dolores Canary')).toBeVisible()
  const change = page.url()

  await page.getByRole('button', { name: 'Erase text' }).click()
  await page.getByLabel('Reason').press('Enter')
  await expect(page.getByText('Enter why, without the text itself.')).toBeVisible()
  await page.getByLabel('Reason').fill('The holder asked for it')
  await page.getByLabel('Reason').press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('reason, what was confirmed')
  await expect(dialog).not.toContainText('Dolores')
  await expectAccessible(page)
  await dialog.getByLabel('Reason for approval').fill('Ticket 4711')
  await dialog.getByRole('button', { name: 'Ask for approval' }).click()
  await expect(page.getByText('It can be sent once someone else approves it.')).toBeVisible()

  const admin = await (await browser.newContext({ baseURL: programs.consoleUrl })).newPage()
  await signIn(admin, 'admin@example.com', '/approvals')
  await admin.getByRole('link', { name: 'Erase text: Block a card' }).first().click()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: 'Send it' }).click()
  await dialog.getByRole('button', { name: 'Erase text' }).click()
  await expect(page.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
  await page.goto(change)
  await expect(page.getByRole('heading', { name: 'Block a card (erased)' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Text erased' })).toContainText('The holder asked for it')
  await expect(page.getByText('Dolores')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Erase text' })).toHaveCount(0)
  await expectAccessible(page)
  await admin.context().close()
})
