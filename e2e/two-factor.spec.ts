import { expect, expectAccessible, test } from './support/fixtures.ts'
import { expectOutcome, outcome } from './support/outcome.ts'
import { Phone, wrongCode } from './support/phone.ts'
import { ADMIN } from './support/sandbox-controls.ts'
import { signIn, signInWithPassword } from './support/sign-in.ts'
import { panel, qrCode, secret, showKey } from './support/two-factor-tasks.ts'

const ENROL = '/api/v1/Security/totp/enrol'

// Each begins with nobody's factor changed.
test.beforeEach(({ sandbox: _seeded }) => {})

test('sets up two-factor security by keyboard alone', {
  tag: '@long',
}, async ({ page }) => {
  await signIn(page, 'newcomer@example.com')
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(panel(page)).toContainText('No authenticator app is set up.')
  const setUp = page.getByRole('button', { name: 'Set up two-factor security' })
  await expect(setUp).toBeEnabled()
  await setUp.focus()
  await page.keyboard.press('Enter')
  await expect(qrCode(page)).toBeVisible()
  expect(await qrCode(page).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
  await expect(panel(page)).toContainText('Wallet Payments: newcomer@example.com')
  await expectAccessible(page)
  const shown = await secret(page).textContent()
  const phone = new Phone(shown)

  await expect(page.getByRole('heading', { name: 'Set up two-factor security' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(secret(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Code')).toBeFocused()
  await page.keyboard.type(wrongCode(phone.code(-1), phone.code(), phone.code(1)))
  await expect(panel(page)).toContainText('The code was rejected; the key is still valid')
  await expect(page.getByLabel('Code')).toBeFocused()
  await expect(page.getByLabel('Code')).toHaveValue('')
  expect(await secret(page).textContent()).toBe(shown)
  await expectAccessible(page)

  await page.keyboard.type(phone.code())
  await expect(panel(page)).toContainText('On since')
  await expect(outcome(page, 'Done')).toContainText('Two-factor security turned on')
  await expect(qrCode(page)).toHaveCount(0)
  await expectAccessible(page)
  await page.reload()
  await expect(panel(page)).toContainText('On since')
})

test('offers to end older sessions once the factor changed', { tag: '@long' }, async ({ browser, page, programs }) => {
  const context = await browser.newContext({ baseURL: programs.consoleUrl })
  const older = await context.newPage()
  await signIn(older, 'newcomer@example.com')
  await signIn(page, 'newcomer@example.com', '/security')
  await showKey(page)
  await page.getByLabel('Code').fill(new Phone(await secret(page).textContent()).code())
  await expect(outcome(page, 'Done')).toContainText('Two-factor security turned on')
  const changed = page.locator('section', { has: page.getByRole('heading', { name: 'Second factor changed' }) })
  await expect(changed).toContainText('still signed in')
  await expectAccessible(page)
  await changed.getByRole('button', { name: 'End all others' }).click()
  await expect(changed).toContainText('All other sessions have ended.')
  await expect(older.getByRole('alert').filter({ hasText: 'Your session is over' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your sessions' })).toBeVisible()
  await expect(changed).toHaveCount(0)
  await context.close()
})

test('a key is shown once: cancelled, left, or after ten minutes it is gone, and the next is another', {
  tag: '@long',
}, async ({ page }) => {
  await page.clock.install()
  await signIn(page, 'newcomer@example.com', '/security')
  const seen = new Set<string | null>()
  const showAnother = async () => {
    await showKey(page)
    seen.add(await secret(page).textContent())
  }
  await showAnother()
  await panel(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(qrCode(page)).toHaveCount(0)

  await showAnother()
  await page.getByRole('link', { name: 'Transactions' }).click()
  await expect(page.getByRole('heading', { name: 'Transactions' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Set up two-factor security' })).toBeVisible()
  await expect(qrCode(page)).toHaveCount(0)

  await showAnother()
  await page.goto('/transactions')
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Set up two-factor security' })).toBeVisible()
  await expect(qrCode(page)).toHaveCount(0)

  await showAnother()
  // Between the two calls the page's time goes on as it does outside.
  await page.clock.runFor('09:40')
  await expect(qrCode(page)).toBeVisible()
  await page.clock.runFor('00:25')
  await expect(panel(page)).toContainText('The key expired after ten minutes')
  await expect(qrCode(page)).toHaveCount(0)
  expect(seen.size).toBe(4)
})

test('removal takes a code, says when one is rejected, and ends when it is locked', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signIn(page, 'admin@example.com', '/security')
  await expect(panel(page)).toContainText('On since')
  const wrong = wrongCode(await sandbox.shownCode('admin@example.com'), await sandbox.code(ADMIN))
  await panel(page).getByRole('button', { name: 'Remove two-factor security' }).click()
  await expect(page.getByLabel('Code')).toBeFocused()
  await page.getByLabel('Code').fill(wrong)
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('The code was rejected; nothing was removed')
  await expectAccessible(page)
  await page.getByLabel('Code').fill(await sandbox.shownCode('admin@example.com'))
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('No authenticator app is set up.')
  await expect(await expectOutcome(page, 'Done')).toContainText('Removed')
  await expectAccessible(page)

  const phone = await showKey(page)
  await page.getByLabel('Code').fill(phone.code())
  await expect(panel(page)).toContainText('On since')
  await panel(page).getByRole('button', { name: 'Remove two-factor security' }).click()
  const lower = wrongCode(phone.code(-1), phone.code(), phone.code(1))
  for (let n = 1; n < 5; n += 1) {
    await page.getByLabel('Code').fill(lower)
    await expect(panel(page)).toContainText('The code was rejected')
    await expect(page.getByLabel('Code')).toHaveValue('')
  }
  await expect(panel(page)).toContainText('One more rejected code locks verification for 5 minutes.')
  await page.getByLabel('Code').fill(lower)
  await expect(panel(page)).toContainText(/Codes are taken again in [45]:\d\d/)
  await expect(panel(page).getByText('Locked', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Code')).toBeDisabled()
})

test('set up elsewhere meanwhile: refused in words, with the way to another device', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signInWithPassword(page, 'newcomer@example.com')
  await expect(page).toHaveURL('/')
  await page.goto('/security')
  await sandbox.fault({
    method: 'POST',
    path: ENROL,
    effect: { status: 409, code: 'core::gatekeeper::totp::already_enrolled', title: 'Already.' },
  })
  await page.getByRole('button', { name: 'Set up two-factor security' }).click()
  await expect(await expectOutcome(page, 'Not done')).toContainText('Two-factor security is already set up')
  await expect(outcome(page, 'Not done')).toContainText('remove it with a code, then set it up again')

  await sandbox.fault({ method: 'POST', path: ENROL, effect: 'drop-after' })
  await page.getByRole('button', { name: 'Set up two-factor security' }).click()
  await expect(await expectOutcome(page, 'Not known yet')).toContainText('You can start again')
  await showKey(page)
})

test('a status that cannot be read is no empty panel', { tag: '@long' }, async ({ page, sandbox }) => {
  await signIn(page, 'newcomer@example.com')
  // As often as it is asked for: the console may look at what came of an earlier change, too.
  await sandbox.fault({ method: 'GET', path: '/api/v1/Security/totp', times: 1_000, effect: { status: 500 } })
  await page.goto('/security')
  await expect(panel(page)).toContainText('The service could not answer')
  await sandbox.clearFaults()
  await panel(page).getByRole('button', { name: 'Try again' }).click()
  await expect(panel(page)).toContainText('No authenticator app is set up.')
})
