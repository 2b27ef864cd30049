import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { signIn, signInWithPassword } from './support/sign-in.ts'
import { ARBITRATOR, composer, connection, send, thread } from './support/workbench.ts'

const inCase = (page: Page) => page.getByRole('region', { name: 'Case', exact: true })
const caseOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

test('from the queue to a resolved case and on to the next takes twelve keys beside what is written', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await signIn(page, ARBITRATOR, '/disputes')
  // The table hydrates after the head of the page.
  await expect(page.getByRole('textbox', { name: 'Reason' })).toBeEnabled()
  let keys = 0
  const press = async (key: string) => {
    keys += 1
    await page.keyboard.press(key)
  }
  await press('j')
  await press('Enter')
  await expect(connection(page, 'Live')).toBeVisible()
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
  await expect(dialog.getByRole('button', { name: 'Resolve and open next' })).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused()
  await page.keyboard.type(await sandbox.shownCode(ARBITRATOR))
  await press('Enter')
  await expect(page).not.toHaveURL(new RegExp(first))
  expect(keys).toBeLessThanOrEqual(12)
  await expect(inCase(page).getByText('Assignee: you', { exact: true })).toBeVisible()
  await expect(inCase(page).getByText('This case is now assigned to you.')).toBeVisible()
  expect((await sandbox.casesThatAre('RESOLVED')).map(({ id }) => id)).toContain(first)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a snippet is added, inserted by a slash with what the case knows, and removed with an undo', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await signIn(page, ARBITRATOR, '/disputes/snippets')
  await page.getByRole('button', { name: 'Add a snippet' }).click()
  await page.getByLabel('Name').fill('Ask for the day')
  await page.getByLabel('Text').fill('Case {case}: which day was it, {day}?')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const row = page.getByRole('article', { name: 'Ask for the day' })
  await expect(row).toContainText(`changed by ${ARBITRATOR}`)
  await expectAccessible(page)

  await page.goto(`/disputes/${caseId}`)
  await expect(connection(page, 'Live')).toBeVisible()
  await composer(page).focus()
  await page.keyboard.type('either/or /day')
  const option = page.getByRole('option', { name: /Ask for the day/ })
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(option).toBeHidden()
  await expect(composer(page)).toHaveValue('either/or /day')
  await expect(composer(page)).toBeFocused()
  await composer(page).fill('')
  await page.keyboard.type('/ask')
  await expect(option).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(composer(page)).toHaveValue(`Case ${caseId}: which day was it, {day}?`)
  // The field that nobody knows is chosen: what is typed takes its place.
  await page.keyboard.type('Friday')
  await expect(composer(page)).toHaveValue(`Case ${caseId}: which day was it, Friday?`)

  await page.goto('/disputes/snippets')
  await row.getByRole('button', { name: 'Remove' }).click()
  await expect(row).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
})

test('a snoozed case leaves one’s own until a party writes', { tag: '@long' }, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await signIn(page, ARBITRATOR, `/disputes/${caseId}?queue=mine`)
  await page.getByRole('button', { name: 'Assign to me', exact: true }).click()
  await expect(inCase(page).getByText('Assignee: you', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Snooze', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Snooze case/ })
  await expect(dialog.getByRole('radio', { name: 'Until a party writes' })).toBeChecked()
  const latest = dialog.getByLabel('At the latest')
  const proposed = await latest.inputValue()
  await latest.fill('2020-01-01T10:00')
  await dialog.getByRole('button', { name: 'Snooze the case' }).click()
  await expect(dialog.getByText('This time has passed. Enter a later time.')).toBeVisible()
  await expect(latest).toHaveValue('2020-01-01T10:00')
  await latest.fill(proposed)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Snooze the case' }).click()
  const head = inCase(page).getByText(/^Snoozed until .*, or a party writes\./)
  await expect(head).toBeVisible()
  await page.reload()
  const pane = page.getByRole('region', { name: 'Open cases' })
  const row = pane.locator(`[data-row="${caseId}"]`)
  await expect(pane.getByRole('button', { name: /^Mine/ })).toHaveAttribute('aria-pressed', 'true')
  await expect(pane.getByText('complete')).toBeVisible()
  await expect(row).toHaveCount(0)
  await pane.getByRole('button', { name: 'Everyone’s' }).click()
  await expect(row).toContainText('you, snoozed')
  await expect(head).toBeVisible()
  await sandbox.postMessage(caseId, 'ana@example.com', 'It was a Friday.')
  await expect(head).toBeHidden()
  await expect(inCase(page).getByText('Assignee: you', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Show the first message: Sender' }).click()
  await expect(page.getByRole('article', { name: 'Sender' })).toBeFocused()
})

test('where assigned cases are closed, somebody else’s message is refused, with who the assignee is and what to do', {
  tag: '@long',
}, async ({ browser, programs, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  const { url } = await programs.startAnotherConsole((at) => ({ NEXTAUTH_URL: at, ASSIGNED_CASES: 'closed' }))
  const open = async (email: string) => {
    const context = await browser.newContext({ baseURL: url })
    const page = await context.newPage()
    await signInWithPassword(page, email)
    await expect(page).toHaveURL('/')
    await page.goto(`/disputes/${caseId}`)
    await expect(page.getByRole('button', { name: 'Assign to me', exact: true })).toBeEnabled()
    return page
  }
  const [theirs, mine] = [await open('admin@example.com'), await open(ARBITRATOR)]
  const look = (state: 'hidden' | 'visible') =>
    mine.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  // The page is as old as it can be.
  await look('hidden')
  await theirs.getByRole('button', { name: 'Assign to me', exact: true }).click()
  await expect(inCase(theirs).getByText('Assignee: you', { exact: true })).toBeVisible()
  await composer(mine).fill('Which day was it?')
  await send(mine).click()
  const words = /assigned to admin@example\.com, who alone can write.* Reassign the case to yourself first/
  await expect(thread(mine).getByText(words)).toBeVisible()
  expect(await sandbox.arrived('POST', `/api/v1/Dispute/${caseId}/messages`)).toBe(0)
  await look('visible')
  await expect(send(mine)).toBeDisabled()
  await expect(inCase(mine).getByText(words).first()).toBeVisible()
  await Promise.all([theirs.context().close(), mine.context().close()])
})
