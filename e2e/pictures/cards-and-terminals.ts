import { cardNumber, confirm, fillNewCard, issueCard } from '../support/card-tasks.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectOutcome } from '../support/outcome.ts'
import { picture } from '../support/picture.ts'
import { ANA } from '../support/sandbox-controls.ts'
import { signIn } from '../support/sign-in.ts'
import { disableButton, openMerchant, openTerminal, registerButton } from '../support/terminal-tasks.ts'
import { showKey } from '../support/two-factor-tasks.ts'

const OPERATOR = 'operator@example.com'

test('cards', async ({ page, expectedErrors }) => {
  expectedErrors.push(/status of 404/)
  await signIn(page, OPERATOR, '/cards')
  await picture(page, 'cards/none')
  const { id, last4 } = await issueCard(page, { userId: ANA })
  await page.goto('/cards')
  await picture(page, 'cards/one')
  await page.goto('/cards/issue')
  await picture(page, 'cards/issue')
  await fillNewCard(page, { userId: ANA })
  await page.getByRole('button', { name: /^Issue a card/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'cards/issue-dialog')
  await confirm(page, /^Issue a card/)
  await expect(cardNumber(page)).toBeVisible()
  // Where the number stands is looked at once, at one width: its time runs.
  await page.screenshot({ path: 'screenshots/cards/number-once/1440-light.png', mask: [cardNumber(page)] })
  await page.getByRole('button', { name: 'I have handed it over' }).click()
  await picture(page, 'cards/handed-over')
  await page.goto(`/cards/${id}`)
  await page.getByLabel('Last four digits').fill(last4)
  await page.getByLabel('Reason').fill('Stolen, reported by the holder')
  await page.getByRole('button', { name: /^Block/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'cards/block-dialog')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Block/ })
    .click()
  await expectOutcome(page, 'Done')
  await picture(page, 'cards/blocked')
  await page.goto('/cards/00000000-0000-4000-8000-0000000000ff')
  await picture(page, 'cards/not-found')
})

test('terminals', async ({ page, sandbox }) => {
  await signIn(page, OPERATOR, '/terminals')
  await picture(page, 'terminals/begins')
  await openMerchant(page, 'merchant-001')
  await picture(page, 'terminals/many')
  await openTerminal(page, 'PAX-A920-0001')
  await picture(page, 'terminals/terminal')
  await disableButton(page).click()
  await picture(page, 'terminals/what-is-missing')
  await page.goto('/terminals?merchant=merchant-003')
  await expect(registerButton(page)).toBeVisible()
  await picture(page, 'terminals/another-merchant')
  await sandbox.fault({ method: 'GET', path: '/api/v1/merchant-terminals', times: 20, effect: { status: 500 } })
  await page.reload()
  await picture(page, 'terminals/a-list-that-fails')
})

test('security', async ({ page }) => {
  await signIn(page, 'newcomer@example.com', '/security')
  await picture(page, 'security/not-enrolled')
  await showKey(page)
  // The key is of the sandbox, and stays out of the picture all the same.
  await page.screenshot({
    path: 'screenshots/security/key/1440-light.png',
    mask: [
      page.getByRole('img', { name: 'QR code of the key' }),
      page.getByRole('button', { name: 'copy the secret' }),
    ],
  })
  await page.context().clearCookies()
  await signIn(page, OPERATOR, '/activity')
  await picture(page, 'activity/nothing')
})
