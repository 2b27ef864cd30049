import type { Browser, Locator, Page } from '@playwright/test'
import { change } from './support/case-workspace.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { signIn } from './support/sign-in.ts'
import { ARBITRATOR, openCase, said } from './support/workbench.ts'

const ADMIN = 'admin@example.com'

const work = (page: Page): Locator =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Work', exact: true }) })
const inQueue = (page: Page, caseId: string): Locator => page.getByRole('row', { name: new RegExp(caseId) })
const notes = (page: Page): Locator => page.getByRole('log', { name: 'Internal notes' })
const watching = (page: Page): Locator =>
  page.getByRole('region', { name: 'Case', exact: true }).getByText('Watching', { exact: true })

/** The console was sent what the person has seen. */
const marked = (page: Page, of: string) =>
  page.waitForResponse((answer) => answer.url().endsWith('/seen') && !!answer.request().postData()?.includes(`"${of}"`))

async function colleague(browser: Browser, baseURL: string | undefined, email: string): Promise<Page> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const page = await context.newPage()
  await signIn(page, email, '/')
  return page
}

test('a mentioned colleague finds the case, and the mark goes', { tag: '@long' }, async ({
  page,
  browser,
  baseURL,
  sandbox,
}) => {
  const caseId = await sandbox.raiseCase()
  const admin = await colleague(browser, baseURL, ADMIN)
  await openCase(page, caseId)
  await page.keyboard.press('n')
  const field = page.getByLabel('New internal note')
  await expect(field).toBeFocused()
  const option = page.getByRole('listbox', { name: 'Colleagues' }).getByRole('option', { name: ADMIN })
  await expect(async () => {
    await field.fill('')
    await field.pressSequentially('Please look, @adm')
    await expect(option).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expectAccessible(page)
  await field.press('Enter')
  await expect(field).toHaveValue(`Please look, @${ADMIN} `)
  await field.press('Control+Enter')
  await expect(notes(page).getByText('Please look,')).toBeVisible()

  await expect(work(admin)).toContainText('mentioned you')
  await expect(work(admin)).toContainText(`in a note by ${ARBITRATOR}`)
  await admin.goto('/disputes?notice=mentioned')
  await expect(inQueue(admin, caseId)).toContainText('Mentioned you')
  const filter = admin.getByRole('navigation', { name: 'Cases by mention and watch' })
  await expect(filter.getByRole('link', { name: 'Mentioned you 1' })).toHaveAttribute('aria-current', 'true')
  await expectAccessible(admin)

  await admin.setViewportSize({ width: 390, height: 800 })
  await admin.goto(`/disputes/${caseId}`)
  const line = admin.getByText(`${ARBITRATOR} mentioned you in a note`)
  await expect(line).toBeVisible()
  await admin.getByRole('button', { name: 'Show the note' }).click()
  await expect(notes(admin).locator('[data-mention]')).toBeFocused()
  await expect(notes(admin).getByText('Mentioned you')).toBeVisible()
  await expect(line).toHaveCount(0)
  await admin.setViewportSize({ width: 1440, height: 900 })
  await admin.goto('/disputes')
  await expect(filter.getByRole('link', { name: 'Mentioned you 0' })).toBeVisible()
  await admin.goto('/')
  await expect(work(admin)).not.toContainText('mentioned you')
  await admin.context().close()
})

test('a watched case shows its news until it is opened', { tag: '@long' }, async ({
  page,
  browser,
  baseURL,
  sandbox,
}) => {
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  await expect(page.getByRole('button', { name: 'Assign to me', exact: true })).toBeVisible()
  await page.keyboard.press('w')
  await expect(watching(page)).toBeVisible()
  await page.goto('/')
  await expect(work(page)).not.toContainText('Watched cases')
  await sandbox.postMessage(caseId, 'ana@example.com', 'Where is my parcel?')
  await expect(work(page)).toContainText('1 unread')
  const admin = await colleague(browser, baseURL, ADMIN)
  await change(admin, 'case.assign', { caseId })
  await change(admin, 'case.note', { caseId, text: 'I take it.' })
  await expect(work(page)).toContainText(`New: assigned to ${ADMIN}, 1 note`)
  await page.goto('/disputes?notice=watching')
  await expect(inQueue(page, caseId)).toContainText('1 unread')

  const seen = ['createdAt', 'holder', 'note'].map((of) => marked(page, of))
  await page.goto(`/disputes/${caseId}`)
  await expect(said(page, 'Where is my parcel?')).toBeVisible()
  await expect(page.getByText('1 new note.')).toBeVisible()
  await page.getByRole('button', { name: 'Show notes' }).click()
  await expect(notes(page).getByText('I take it.')).toBeInViewport()
  await expect(page.getByText('1 new note.')).toHaveCount(0)
  await Promise.all(seen)
  await page.goto('/')
  await expect(work(page)).not.toContainText('Watched cases')

  await sandbox.resolveCase(caseId)
  await expect(work(page)).toContainText('New: resolved')
  const ended = marked(page, 'open')
  await work(page).getByRole('link', { name: 'Open case' }).click()
  await expect(page.getByRole('region', { name: 'Resolution' })).toBeVisible()
  await ended
  await expect(watching(page)).toHaveCount(0)
  await page.goto('/')
  await expect(work(page)).not.toContainText('Watched cases')
  await admin.context().close()
})
