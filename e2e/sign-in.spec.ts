import { expect, expectAccessible, test } from './support/fixtures.ts'
import { PASSWORD } from './support/sandbox-controls.ts'
import { signInThroughPages, signInWithPassword } from './support/sign-in.ts'
import { statesSeen } from './support/transaction-states.ts'

const OPERATOR = 'operator@example.com'

test('a visitor is led to sign-in and, afterwards, to where they wanted to go', async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '5')
  await page.goto(`/transactions/${reference}`)
  await expect(page).toHaveURL(/\/sign-in\?to=%2Ftransactions%2FDEP/)
  await signInThroughPages(page, OPERATOR, page.url())
  await expect(page).toHaveURL(`/transactions/${reference}`)
  await expect(statesSeen(page)).toContainText(['Queued'])
})

test('a password signs in as well', { tag: '@long' }, async ({ page }) => {
  await page.goto('/sign-in')
  await expectAccessible(page)
  await signInWithPassword(page, OPERATOR)
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: `Account: ${OPERATOR}` })).toBeVisible()
})

test('what is wrong with a password or an account is told in its own words and keeps the address', {
  tag: '@long',
}, async ({ page, sandbox: _reset }) => {
  for (const [email, password, words] of [
    [OPERATOR, 'Wrong-Pass-1', 'Wrong e-mail address or password.'],
    ['nobody@example.com', PASSWORD, 'Wrong e-mail address or password.'],
    ['locked@example.com', PASSWORD, 'This account is locked.'],
    ['closed@example.com', PASSWORD, 'This account is not permitted to sign in.'],
  ] as const) {
    await signInWithPassword(page, email, password)
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.getByLabel('E-mail')).toHaveValue(email)
    await expect(page.getByLabel('Password')).toHaveValue('')
    await expectAccessible(page)
    await page.goto('/deposits')
    await expect(page).toHaveURL(/\/sign-in/)
  }
})

for (const way of ['password', 'sso'] as const) {
  test(`signs in by ${way} without scripts`, { tag: '@long' }, async ({ browser, programs, sandbox: _reset }) => {
    const context = await browser.newContext({ baseURL: programs.consoleUrl, javaScriptEnabled: false })
    const page = await context.newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto('/security?from=mail')
    if (way === 'password') {
      await page.getByLabel('E-mail').fill(OPERATOR)
      await page.getByLabel('Password').fill('Wrong-Pass-1')
      await page.getByLabel('Password').press('Enter')
      await expect(page.getByText('Wrong e-mail address or password.')).toBeVisible()
      await expect(page.getByLabel('E-mail')).toHaveValue(OPERATOR)
      await expect(page.getByLabel('Password')).toBeFocused()
      await expect(page.getByLabel('Password')).toHaveAccessibleDescription('Wrong e-mail address or password.')
    } else {
      await page.getByRole('button', { name: /Continue with/ }).click()
      await page.waitForURL(/\/idp\/sign-in\//)
      await page.getByLabel('E-mail').fill(OPERATOR)
    }
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Password').press('Enter')
    await expect(page).toHaveURL('/security?from=mail')
    await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
    expect(requests.filter((url) => /Pass-1|operator(@|%40)/i.test(url))).toEqual([])
    await context.close()
  })
}

test('the service out of reach is not told as a wrong password', { tag: '@long' }, async ({ page, sandbox }) => {
  const path = '/api/v1/Users/login'
  await sandbox.fault({ method: 'POST', path, effect: { status: 503 } })
  await signInWithPassword(page, OPERATOR)
  await expect(page.getByText('The service cannot check a password right now.')).toBeVisible()
})

test('single sign-on out of reach leads back to sign-in, saying so, which still knows the way on', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await sandbox.fault({ method: 'GET', path: '/idp/.well-known/openid-configuration', effect: { status: 503 } })
  await page.goto('/sign-in?to=/users')
  await page.getByRole('button', { name: /Continue with/ }).click()
  await expect(page.getByText('Single sign-on cannot be reached.')).toBeVisible()
  await page.getByRole('button', { name: /Continue with/ }).click()
  await page.waitForURL(/\/idp\/sign-in\//)
  await page.getByLabel('E-mail').fill(OPERATOR)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/users')
})

test('a wrong password at single sign-on is told there and keeps the address', { tag: '@long' }, async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 401/)
  await page.goto('/sign-in')
  await page.getByRole('button', { name: /Continue with/ }).click()
  await page.waitForURL(/\/idp\/sign-in\//)
  await page.getByLabel('E-mail').fill(OPERATOR)
  await page.getByLabel('Password').fill('Wrong-Pass-1')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Wrong e-mail address or password.')).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue(OPERATOR)
})

test('a link from elsewhere finds the session, though its cookie stays at home at first', { tag: '@long' }, async ({
  page,
  programs,
}) => {
  await signInThroughPages(page, OPERATOR)
  // 127.0.0.1 is another site than localhost, so this is a link in somebody's mail.
  await page.goto(`${programs.sandboxUrl}/sandbox`)
  await page.evaluate((address) => {
    const link = document.createElement('a')
    link.href = `${address}/transactions`
    link.textContent = 'a link'
    document.body.append(link)
  }, programs.consoleUrl)
  await page.getByRole('link', { name: 'a link' }).click()
  await expect(page.getByRole('heading', { name: 'Transactions' })).toBeVisible()
})

test('signing out ends the session on the server, not only in this browser', { tag: '@long' }, async ({
  page,
  context,
}) => {
  await signInThroughPages(page, OPERATOR)
  const kept = await context.cookies()
  await page.getByRole('button', { name: `Account: ${OPERATOR}` }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Signed out' })).toBeVisible()
  await context.addCookies(kept)
  await page.goto('/deposits')
  await expect(page).toHaveURL(/\/sign-in\?why=ended/)
  await expect(page.getByText('Your session has ended.')).toBeVisible()
})

test('the theme and the order of times are kept for the person, not for the browser', { tag: '@long' }, async ({
  browser,
  page,
  programs,
}) => {
  await signInThroughPages(page, 'admin@example.com')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByText('Dark', { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  const elsewhere = await browser.newContext({ baseURL: programs.consoleUrl })
  const other = await elsewhere.newPage()
  await signInThroughPages(other, 'admin@example.com')
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
  await elsewhere.close()
})
