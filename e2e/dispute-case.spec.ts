import type { Browser, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { expectOutcome, holdReads } from './support/outcome.ts'
import type { Programs } from './support/programs.ts'
import { signIn } from './support/sign-in.ts'
import {
  ARBITRATOR,
  composer,
  connection,
  onTheWay,
  openCase,
  resolution,
  said,
  send,
  thread,
} from './support/workbench.ts'

const POST = '/api/v1/Dispute/{caseId}/messages'

/** Another arbitrator, in a browser of their own. */
async function colleague(browser: Browser, programs: Programs, caseId: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: programs.consoleUrl })
  const page = await context.newPage()
  await openCase(page, caseId, 'admin@example.com')
  return page
}

async function decide(page: Page, decision: string, reason: string): Promise<void> {
  await page.getByText(decision, { exact: true }).first().click()
  await page.getByLabel('Reason, shown to both sides').fill(reason)
  await page.getByRole('button', { name: decision, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: new RegExp(`^${decision}`) })
  await dialog.getByRole('button', { name: new RegExp(`^${decision}`) }).click()
}

test('sends a message by keyboard, and shows replies live', async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  await composer(page).fill('Please post the receipt.\nBy noon.')
  await composer(page).press('Control+Enter')
  await expect(thread(page).getByText('Please post the receipt.')).toHaveCount(1)
  await expect(composer(page)).toHaveValue('')
  await expect(onTheWay(page)).toHaveCount(0)
  await sandbox.postMessage(caseId, 'ben@example.com', 'The office is closed.')
  await expect(said(page, 'The office is closed.')).toBeVisible()
  await expect(thread(page).getByText('New', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(thread(page).getByText('Please post the receipt.')).toHaveCount(1)
  await expect(composer(page)).toHaveValue('')
  // Ours, and Ben’s.
  expect(await sandbox.arrived('POST', `/api/v1/Dispute/${caseId}/messages`)).toBe(2)
})

test('a message whose answer is lost is not known at first, then sent, once', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  await sandbox.fault({ method: 'POST', path: POST, effect: 'drop-after' })
  await composer(page).fill('Is it there?')
  await send(page).click()
  await expect(said(page, 'Is it there?').first()).toBeVisible()
  await expect(thread(page).getByText('· not known yet')).toBeVisible()
  // By reading, within the first looks of the console.
  await expect(onTheWay(page)).toHaveCount(0)
  await expect(said(page, 'Is it there?')).toHaveCount(1)
  expect(await sandbox.arrived('POST', `/api/v1/Dispute/${caseId}/messages`)).toBe(1)
})

test('a message that the service refuses is said not to be sent, and its text can be changed', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  await sandbox.fault({ method: 'POST', path: POST, effect: { status: 403, code: 'core::disputes::no', title: 'No.' } })
  await composer(page).fill('May I?')
  await send(page).click()
  await expect(thread(page).getByText('· not sent')).toBeVisible()
  await composer(page).fill('A newer thought.')
  await page.getByRole('button', { name: 'Write it again' }).click()
  await expect(composer(page)).toHaveValue('May I?\n\nA newer thought.')
  await expect(composer(page)).toBeFocused()
  await expect(thread(page).getByText('· not sent')).toHaveCount(0)
})

test('keeps a refused message until it is sent again', { tag: '@long' }, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  await sandbox.fault({
    method: 'POST',
    path: POST,
    effect: { status: 429, code: 'core::rate', title: 'Slow', retryAfter: 3 },
  })
  await composer(page).fill('May I?')
  await send(page).click()
  await expect(thread(page).getByText(/^You can try again in [1-3] s\.$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send again' })).toHaveAttribute('aria-disabled', 'true')
  await composer(page).fill('A newer thought.')
  await page.reload()
  await expect(composer(page)).toHaveValue('A newer thought.')
  await expect(said(page, 'May I?')).toHaveCount(1)

  await sandbox.fault({
    method: 'POST',
    path: POST,
    effect: { status: 429, code: 'core::rate', title: 'Slow', retryAfter: 1 },
  })
  await send(page).click()
  await expect(onTheWay(page)).toHaveCount(2)
  for (const text of ['May I?', 'A newer thought.']) {
    const entry = thread(page).getByRole('article').filter({ hasText: text })
    await entry.getByRole('button', { name: 'Send again' }).click()
    await expect(said(page, text)).toHaveCount(1)
  }
  await expect(onTheWay(page)).toHaveCount(0)
  await page.reload()
  await expect(composer(page)).toHaveValue('')
})

test('keeps a typed message over reload and sign-out', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  await send(page).click()
  await expect(page.getByText('Enter a message.')).toBeVisible()
  await composer(page).fill('Half a sen')
  await page.reload()
  await expect(composer(page)).toHaveValue('Half a sen')
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/signed-out/)
  await signIn(page, ARBITRATOR, `/disputes/${caseId}`)
  await expect(composer(page)).toHaveValue('Half a sen')
})

test('a resolution reaches a colleague, whose draft is kept', async ({ browser, page, programs, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  const other = await colleague(browser, programs, caseId)
  await composer(other).fill('I was about to ask')
  const readAgain = await holdReads(other)
  const transaction = await page.locator('main a[href^="/transactions/"]').first().getAttribute('href')
  await decide(page, 'Refund the sender', 'The parcel never left.')
  await page.getByRole('textbox', { name: 'Code' }).fill(await sandbox.shownCode(ARBITRATOR))
  await page.keyboard.press('Enter')
  await expect(resolution(other)).toContainText('The parcel never left.')
  await expect(other.getByRole('region', { name: 'Your unsent message' })).toContainText('I was about to ask')
  await expect(resolution(other)).toContainText('Not confirmed yet')
  readAgain()
  await expect(resolution(other).getByRole('link', { name: 'REV' })).toBeVisible()
  await expect(resolution(page)).toContainText('Sender refunded')
  const reversal = resolution(page).getByRole('link', { name: 'REV' })
  await expect(reversal).toBeVisible()
  await expect(thread(page).getByText(/^Resolved: the sender is refunded by/)).toBeVisible()
  await expectAccessible(page)
  await expectAccessible(other)
  expect(await sandbox.arrived('POST', `/api/v1/Dispute/${caseId}/resolve`)).toBeGreaterThan(0)
  await reversal.click()
  await expect(page).toHaveURL(/\/transactions\/REV/)
  await expect(page.getByRole('heading', { name: 'Amounts' })).toBeVisible()
  await page.goto(transaction ?? '')
  await expect(page.getByText('The sender was refunded by a reversing transaction.')).toBeVisible()
  await expect(page.getByText('can spend')).toHaveCount(0)
  await other.context().close()
})

test('a message that comes meanwhile stops a decision, and both versions are shown', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  await page.getByText('Release to the recipient', { exact: true }).click()
  await page.getByLabel('Reason, shown to both sides').fill('Delivered, as the receipt says.')
  await page.getByRole('button', { name: 'Release to the recipient', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Release to the recipient/ })
  await expect(dialog).toContainText('20.00')
  await expect(dialog).toContainText('The thread closes for both sides.')
  await expectAccessible(page)
  await sandbox.postMessage(caseId, 'ana@example.com', 'I found it, sorry.')
  // Behind the dialog, where it has no role.
  await expect(page.getByText('I found it, sorry.', { exact: true })).toBeAttached()
  await dialog.getByRole('button', { name: /^Release to the recipient/ }).click()
  const changed = await expectOutcome(page, 'Changed since you checked')
  await expect(changed.getByRole('row', { name: /^Messages/ }).getByRole('cell')).toHaveText(['1', '2'])
  await expect(page.getByLabel('Reason, shown to both sides')).toHaveValue('Delivered, as the receipt says.')

  // And so is a refusal: where the decision was made, not at the top of a pane that is scrolled down.
  const path = '/api/v1/Dispute/{caseId}/resolve'
  await sandbox.fault({
    method: 'POST',
    path,
    times: 2,
    effect: { status: 409, code: 'core::disputes::no', title: 'No' },
  })
  await decide(page, 'Release to the recipient', 'Delivered, as the receipt says.')
  await page.getByRole('textbox', { name: 'Code' }).fill(await sandbox.shownCode(ARBITRATOR))
  await page.keyboard.press('Enter')
  await expectOutcome(page, 'Not done')
  // The code holds for a while.
  await expect(page.getByText('needs a code')).toHaveCount(0)
})

test('shows the decision first, with its required choice and reason', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openCase(page, await sandbox.raiseCase())
  const submit = page.getByRole('button', { name: 'Select an outcome' })
  await expect(submit).toBeInViewport({ ratio: 1 })
  await submit.click()
  await expect(page.getByText('Select an outcome.')).toBeVisible()
  await expect(page.getByText('Enter a reason. Both sides see it.')).toBeVisible()

  // On a phone no figure is broken over two lines, also in the sentences of the two choices.
  await page.setViewportSize({ width: 390, height: 900 })
  await page.getByRole('tab', { name: 'Decision' }).click()
  const facts = page.getByRole('complementary', { name: 'Facts and decision' })
  await expect(facts.locator('.figures').first()).toBeVisible()
  const lines = await facts.evaluate((all) => {
    const texts = document.createTreeWalker(all, NodeFilter.SHOW_TEXT)
    const broken: string[] = []
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      for (const { index, 0: figure } of (text.textContent ?? '').matchAll(/−?[\d,]+\.\d\d(?:\sBZD)?/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + figure.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(figure)
      }
    }
    return broken
  })
  expect(lines).toEqual([])
})

test('lets people without scope read, and names the scope', {
  tag: '@long',
}, async ({ page, sandbox, expectedErrors }) => {
  expectedErrors.push(/status of 404/)
  const caseId = await sandbox.raiseCase()
  await signIn(page, 'viewer@example.com', `/disputes/${caseId}`)
  await expect(page.getByText('Not found, or not visible to you')).toBeVisible()
  await page.goto('/disputes/nonsense')
  await expect(page.getByText('Not a case id')).toBeVisible()
})

test('hub away: the case is read every five seconds, and the page says so', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const caseId = await sandbox.raiseCase()
  await sandbox.dropHub(60_000)
  await signIn(page, ARBITRATOR, `/disputes/${caseId}`)
  await expect(connection(page, 'Checking every 5 s')).toBeVisible()
  await sandbox.postMessage(caseId, 'ana@example.com', 'Anybody there?')
  await expect(said(page, 'Anybody there?')).toBeVisible()
})
