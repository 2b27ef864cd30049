import type { Page } from '@playwright/test'
import { cardNumber, confirm, fillNewCard, sendNewCard, shownDigits } from './support/card-tasks.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { outcome } from './support/outcome.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { watchQuiet } from './support/visits.ts'

const OPERATOR = 'operator@example.com'
const ISSUE = '/api/v1/cards'

const issueWords = /^Issue a card/
const issueButton = (page: Page) => page.getByRole('button', { name: issueWords })

test('an operator issues a card, hands its number over once, and is left with its last four digits', {
  tag: '@long',
}, async ({ page, context, sandbox }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, OPERATOR)
  await page.getByRole('link', { name: 'Cards', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Issued here, newest first' })).toBeVisible()
  await page.getByRole('link', { name: 'Issue a card' }).click()
  await fillNewCard(page, { userId: ANA, printedName: 'محمد العلي' })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Issue a card for …000011' }).click()
  const dialog = page.getByRole('dialog', { name: 'Issue a card for …000011' })
  await expect(dialog).toContainText('محمد العلي')
  await expect(dialog).toContainText('You can extend that once')
  await expectAccessible(page)
  await confirm(page, /^Issue a card/)

  await expect(cardNumber(page)).toHaveText(/^(\d{4}){4}$/)
  await expect(cardNumber(page)).toBeFocused()
  const number = await shownDigits(page)
  await expect(page.getByRole('timer')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(page.getByText('Copied. Paste it, then copy something else')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(number)
  await page.getByRole('button', { name: 'I have handed it over' }).click()

  await expect(page.getByText('Handed over.')).toBeVisible()
  await expect(page.getByText(`Card ending ${number.slice(-4)}`)).toBeVisible()
  await expect(outcome(page, 'Done')).toContainText('Not activated yet')
  // What came of it, beside it, leaves the focus where the card is told.
  await expect(page.locator('p:focus')).toContainText(number.slice(-4))
  await expectAccessible(page)
  expect((await page.locator('body').textContent())?.replace(/\s/g, '')).not.toContain(number)

  const held = (await sandbox.cardsOf('ana@example.com')).find(({ printedName }) => printedName === 'محمد العلي')
  expect(await sandbox.cardOf('ana@example.com', held?.id ?? '')).toMatchObject({
    cardNumber: number,
    status: 'UNISSUED',
  })
  await page.getByRole('link', { name: 'Open the card' }).click()
  await expect(page).toHaveURL(`/cards/${held?.id}`)
  await expect(page.getByRole('heading', { name: `Card ending ${number.slice(-4)}` })).toBeVisible()
  await page.goto('/cards')
  await expect(page.getByRole('row').filter({ hasText: number.slice(-4) })).toContainText(OPERATOR)
})

/** What scripts and tools can read of the document, without tags and spaces; attributes as they are. */
async function documentText(page: Page): Promise<string> {
  const html = await page.content()
  return `${html} ${html.replace(/<[^>]*>|\s/g, '')}`
}

test('hides a card number permanently, and moves the focus', {
  tag: '@long',
}, async ({ page }) => {
  await signIn(page, OPERATOR)
  await page.clock.install()
  for (const [end, words] of [
    [() => page.getByRole('button', { name: 'Hide now' }).click(), 'Hidden permanently.'],
    [() => page.clock.fastForward('01:00'), 'Time is up'],
  ] as const) {
    await sendNewCard(page, { userId: ANA })
    const number = await shownDigits(page)
    await end()
    await expect(cardNumber(page)).toHaveCount(0)
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.locator('p:focus')).toHaveText(new RegExp(`Card ending ${number.slice(-4)}`))
    expect(await documentText(page)).not.toContain(number)
  }
})

test('masks the number when the window loses focus', { tag: '@long' }, async ({ page }) => {
  await signIn(page, OPERATOR)
  await page.clock.install()
  await sendNewCard(page, { userId: ANA })
  const number = await shownDigits(page)
  await expect(cardNumber(page)).toBeFocused()
  // In the same moment: what stands behind the window may be a picture of it.
  const behind = await page.evaluate(() => {
    window.dispatchEvent(new Event('blur'))
    return document.documentElement.outerHTML.replace(/<[^>]*>|\s/g, '')
  })
  expect(behind).not.toContain(number)
  await expect(cardNumber(page)).toContainText('••••')
  await expect(page.getByText('The countdown continues.')).toBeVisible()
  expect(await documentText(page)).not.toContain(number)
  await expectAccessible(page)
  await page.clock.fastForward('00:20')
  await expect(page.getByRole('timer')).toHaveAccessibleName(/^Hidden in (40|[1-3]?\d) s$/)
  await page.keyboard.press('s')
  expect(await shownDigits(page)).toBe(number)
  await expect(cardNumber(page)).toBeFocused()

  await page.getByRole('button', { name: '60 more seconds' }).click()
  await expect(page.getByText('It cannot be extended again')).toBeVisible()
  await expect(page.getByRole('button', { name: '60 more seconds' })).toHaveCount(0)
  await expect(cardNumber(page)).toBeFocused()
  await page.clock.fastForward('01:05')
  await expect(page.getByRole('timer')).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await expect(cardNumber(page)).toContainText('••••')
  await page.getByRole('button', { name: 'Show the number S' }).click()
  expect(await shownDigits(page)).toBe(number)
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await page.clock.fastForward('01:00')
  await expect(page.getByText('Time is up')).toBeVisible()
  await page.keyboard.press('s')
  await expect(cardNumber(page)).toHaveCount(0)
  expect(await documentText(page)).not.toContain(number)
})

test('asks before leaving while a card number can be shown', {
  tag: '@long',
}, async ({ page }) => {
  await signIn(page, OPERATOR, '/cards')
  await page.getByRole('link', { name: 'Issue a card' }).click()
  await fillNewCard(page, { userId: ANA })
  await issueButton(page).click()
  await confirm(page, issueWords)
  const number = await shownDigits(page)
  const question = page.getByRole('dialog', { name: 'Leave and hide the card number?' })
  await page.getByRole('link', { name: 'Terminals' }).click()
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Stay on this page' }).click()
  await expect(question).toHaveCount(0)
  expect(await shownDigits(page)).toBe(number)

  await page.evaluate(() => history.back())
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(page).toHaveURL(/\/cards\/issue\?command=/)
  expect(await shownDigits(page)).toBe(number)

  const closing = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const browsers = await closing
  expect(browsers.type()).toBe('beforeunload')
  await browsers.dismiss()
  expect(await shownDigits(page)).toBe(number)

  await page.evaluate(() => history.back())
  await question.getByRole('button', { name: 'Hide the number and leave' }).click()
  await expect(page.getByRole('heading', { name: 'Cards', level: 1 })).toBeVisible()
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Issue a card', level: 1 })).toBeVisible()
  await expect(cardNumber(page)).toHaveCount(0)
  await expect(page.getByText('The number is shown only once')).toBeVisible()
  expect(await documentText(page)).not.toContain(number)
  await page.getByRole('link', { name: 'Terminals' }).click()
  await expect(page.getByRole('heading', { name: 'Terminals' })).toBeVisible()
  await expect(question).toHaveCount(0)
})

test('the number goes when the session ends that issued the card, and no question is asked', { tag: '@long' }, async ({
  page,
  programs,
}) => {
  const quiet = watchQuiet(page)
  await signIn(page, OPERATOR)
  await sendNewCard(page, { userId: ANA })
  const number = await shownDigits(page)
  // A page that is being read without a session would lead to sign-in at once.
  await quiet()
  await programs.postgres?.query('DELETE FROM session')
  await expect(page.getByText('Your session is over')).toBeVisible()
  await expect(cardNumber(page)).toHaveCount(0)
  expect(await documentText(page)).not.toContain(number)
})

test('a double click, and a reload while it is on its way, issue one card', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signIn(page, OPERATOR)
  const before = await sandbox.arrived('POST', ISSUE)
  await page.goto('/cards/issue')
  await fillNewCard(page, { userId: ANA })
  await issueButton(page).dblclick()
  await sandbox.fault({ method: 'POST', path: ISSUE, effect: 'hold' })
  await page.getByRole('dialog').getByRole('button', { name: issueWords }).dblclick()
  await expect(page.getByRole('button', { name: 'Sending' })).toBeVisible()
  await expect(page).toHaveURL(/command=/)
  await expect.poll(() => sandbox.heldRequests()).toBe(1)
  await page.reload()
  await sandbox.clearFaults()
  await expect(page.getByText('The number is shown only once')).toBeVisible()
  await expect(cardNumber(page)).toHaveCount(0)
  await page.reload()
  await expect(outcome(page, 'Done')).toContainText(OPERATOR)
  expect(await sandbox.arrived('POST', ISSUE)).toBe(before + 1)
})

test('a reload before the confirmation has come in says so, and it can be taken back', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signIn(page, OPERATOR)
  const before = await sandbox.arrived('POST', ISSUE)
  await page.goto('/cards/issue')
  await fillNewCard(page, { userId: ANA })
  await issueButton(page).click()
  const confirmations = /\/api\/commands\/./
  let cancelling = false
  await page.route(confirmations, (route) => {
    const method = route.request().method()
    if (method === 'POST') return undefined
    // The page that is left may still cancel what got no answer.
    return method === 'DELETE' && !cancelling ? route.abort() : route.continue()
  })
  await page.getByRole('dialog').getByRole('button', { name: issueWords }).click()
  await expect(page.getByRole('button', { name: 'Sending' })).toBeVisible()
  await page.reload()
  await expect(outcome(page, 'Prepared')).toContainText('Not confirmed yet')
  await expect(issueButton(page)).toHaveCount(0)
  await expectAccessible(page)
  cancelling = true
  await page.getByRole('button', { name: 'Cancel it' }).click()
  await expect(outcome(page, 'Cancelled by its author')).toContainText('Nothing was changed')
  await expect(issueButton(page)).toBeVisible()
  expect(await sandbox.arrived('POST', ISSUE)).toBe(before)
})
