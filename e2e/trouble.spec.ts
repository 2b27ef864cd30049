import { expect, expectAccessible, test } from './support/fixtures.ts'
import { openSession, signIn, signInWithPassword } from './support/sign-in.ts'
import { statesSeen } from './support/transaction-states.ts'
import { PageBefore } from './support/unsent-text.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'

test('the service stops between the look-up and the confirmation: nothing is sent, nothing typed is lost', {
  tag: '@long',
}, async ({ page, programs, sandbox }) => {
  const announced = await sandbox.announceDeposit('ana@example.com', '90')
  const prepare = page.getByRole('button', { name: 'Confirm deposit of 90.00 BZD' })
  const confirm = page.getByRole('dialog').getByRole('button', { name: /^Confirm deposit/ })
  await signIn(page, 'operator@example.com', `/deposits?reference=${encodeURIComponent(announced)}`)
  await page.getByLabel('Bank’s reference').fill('ATL-T1')
  await page.getByLabel('Amount on the statement').fill('90')

  await programs.sandbox.stop()
  await prepare.click()
  await expect(page.getByRole('heading', { name: 'Nothing was sent' })).toBeVisible()
  await expect(page.getByText('The service cannot be reached')).toBeVisible()
  await expect(page.getByLabel('Bank’s reference')).toHaveValue('ATL-T1')

  await programs.sandbox.start()
  await prepare.click()
  await expect(confirm).toBeVisible()
  await programs.sandbox.stop()
  await confirm.click()
  await expect(page.getByRole('heading', { name: 'Not done' })).toBeVisible()
  await expect(page.getByText('Nothing was sent.')).toBeVisible()
  await expect(page.getByLabel('Amount on the statement')).toHaveValue('90')

  await programs.sandbox.start()
  await prepare.click()
  await confirm.click()
  await expect(page.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
  expect(await sandbox.arrived('POST', CONFIRM)).toBe(1)
})

test('a failed read is never an empty page: it says what happened and can be asked again', async ({
  page,
  sandbox,
}) => {
  const announced = await sandbox.announceDeposit('ana@example.com', '91')
  await signInWithPassword(page, 'operator@example.com')
  await expect(page).toHaveURL('/')
  const path = '/api/v1/Transaction/{referenceId}'
  await sandbox.fault({ method: 'GET', path, times: 3, effect: { status: 503, title: 'secret words of a stack' } })
  await page.goto(`/transactions/${announced}`)
  await expect(page.getByText('The service could not answer')).toBeVisible()
  await expect(page.getByText('secret words')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'copy Trace id' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(statesSeen(page)).toContainText(['Queued'])

  await sandbox.fault({ method: 'GET', path, effect: 'garble' })
  await page.goto(`/transactions/${announced}`)
  await expect(page.getByText('The service’s answer cannot be read')).toBeVisible()
})

test('a session that ended keeps what was typed and offers a way back', { tag: '@long' }, async ({
  page,
  sandbox,
  context,
}) => {
  const announced = await sandbox.announceDeposit('ana@example.com', '92')
  await signIn(page, 'operator@example.com', `/deposits?reference=${encodeURIComponent(announced)}`)
  await page.getByLabel('Bank’s reference').fill('ATL-T2')
  await page.getByLabel('Amount on the statement').fill('92')
  const cookies = await context.cookies()
  await context.clearCookies({ name: '__Host-console.sid' })
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  await expect(page.getByText('Your session has ended')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in again in a new tab' })).toBeVisible()
  await expect(page.getByLabel('Bank’s reference')).toHaveValue('ATL-T2')
  await expect(page.getByLabel('Amount on the statement')).toHaveValue('92')

  await context.addCookies(cookies)
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('while the service is slow the frame stands, and what is on its way stands in outline', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const announced = await sandbox.announceDeposit('ana@example.com', '92')
  const slow = (path: string) => sandbox.fault({ method: 'GET', path, effect: 'hold' })
  await openSession(page.context().request, 'operator@example.com')
  await slow('/api/v1/Users/{id}/scopes')
  await page.goto('/transactions', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'Transactions' })).toBeVisible()
  // In the menu, which is shut.
  await expect(page.getByText('Reading the roles')).toBeAttached()
  await sandbox.clearFaults()
  await expect(page.getByText('Reading the roles')).toHaveCount(0)

  const outline = page.locator('[aria-busy="true"]')
  await slow('/api/v1/Transaction/{referenceId}')
  await page.getByRole('textbox', { name: 'Reference' }).fill(announced)
  await page.keyboard.press('Enter')
  await expect(outline.getByRole('heading', { name: 'State' })).toBeVisible()
  await sandbox.clearFaults()
  await expect(outline).toHaveCount(0)
  await expect(statesSeen(page)).toContainText(['Queued'])

  // A page that cannot stand without what it reads says at once that it is on its way.
  await slow('/api/v1/Transaction/{referenceId}')
  await page.getByRole('link', { name: 'Match and confirm' }).click()
  const bar = page.getByRole('status').filter({ hasText: 'Reading the page' })
  await expect(bar).toBeVisible()
  await sandbox.clearFaults()
  await expect(page.getByLabel('Bank’s reference')).toBeFocused()
  await expect(bar).toBeHidden()
})

test('shows an unanswered confirmation as not known yet', {
  tag: '@long',
}, async ({ page, context, sandbox, expectedErrors }) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/)
  const announced = await sandbox.announceDeposit('ana@example.com', '94')
  const before = await sandbox.arrived('POST', CONFIRM)
  await signIn(page, 'operator@example.com', `/deposits?reference=${encodeURIComponent(announced)}`)
  await page.getByLabel('Bank’s reference').fill('ATL-T5')
  await page.getByLabel('Amount on the statement').fill('94')
  const prepare = page.getByRole('button', { name: 'Confirm deposit of 94.00 BZD' })
  await prepare.click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: /^Confirm deposit/ })
  await expect(confirm).toBeVisible()
  await context.setOffline(true)
  await confirm.click()
  await expect(page.getByRole('heading', { name: 'Not known yet' })).toBeVisible()
  await expect(page.getByText('The console cannot be reached. Checking the outcome')).toBeVisible()
  await expect(prepare).toBeDisabled()
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'Not done' })).toBeVisible()
  await expect(page.getByText('The confirmation got no answer and was cancelled')).toBeVisible()
  expect(await sandbox.arrived('POST', CONFIRM)).toBe(before)
})

test('saves typed text when the browser is online again', { tag: '@long' }, async ({
  page,
  context,
  sandbox,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED|status of 400/)
  const announced = await sandbox.announceDeposit('ana@example.com', '93')
  const here = `/deposits?reference=${encodeURIComponent(announced)}`
  const bankReference = page.getByLabel('Bank’s reference')
  const saved = () =>
    page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.request().url().endsWith('/drafts'))
  await signIn(page, 'operator@example.com', here)
  await context.setOffline(true)
  await bankReference.fill('ATL-T3')
  await expect(page.getByText('Not saved yet: The console cannot be reached.')).toBeVisible()

  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type())
    void dialog.dismiss()
  })
  await page.getByRole('link', { name: 'Security' }).click()
  await expect.poll(() => dialogs).toEqual(['confirm'])
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => dialogs).toEqual(['confirm', 'beforeunload'])
  await expect(bankReference).toHaveValue('ATL-T3')
  // It is not the service that is away, and nothing was sent.
  await page.getByLabel('Amount on the statement').fill('93')
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  await expect(page.getByRole('heading', { name: 'Nothing was sent' })).toBeVisible()
  await expect(page.getByRole('alert').getByText('The console cannot be reached')).toBeVisible()
  await expect(page.getByText(/service cannot be reached/)).toHaveCount(0)

  const arrived = saved()
  await context.setOffline(false)
  expect((await arrived).status()).toBe(200)
  await expect(page.getByText('Not saved yet')).toHaveCount(0)
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(page.getByRole('heading', { name: 'Your sessions' })).toBeVisible()
  await page.goto(here)
  await expect(bankReference).toHaveValue('ATL-T3')

  const refused = saved()
  await bankReference.fill('A'.repeat(10_001))
  expect((await refused).status()).toBe(400)
  await expect(page.getByText('Not saved: At most 10,000 characters can be saved.')).toBeVisible()
  await bankReference.fill('ATL-T4')
  await expect(page.getByText('Not saved:')).toHaveCount(0)
  expect(dialogs).toEqual(['confirm', 'beforeunload'])
})

test('reports a late text on the next page first', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '66')
  const here = `/deposits?reference=${encodeURIComponent(reference)}`
  const bankReference = page.getByLabel('Bank’s reference')
  const awaited = page.getByText('Your latest text has not arrived yet.')
  await signIn(page, 'operator@example.com', here)
  const before = await PageBefore.of(page, `deposit:${reference}`)
  expect(await before.store(JSON.stringify(['ATL-OLD', '6']))).toBe(200)
  await before.leave()
  await page.goto(here)
  await expect(bankReference).toHaveValue('ATL-OLD')
  await expect(awaited).toBeVisible()
  await expectAccessible(page)
  expect(await before.store(JSON.stringify(['ATL-LATE', '66']))).toBe(200)
  // This page keeps it in its own name from then on; left before that, it would announce it once more.
  const kept = page.waitForResponse((answer) => answer.request().postData()?.includes('ATL-LATE') ?? false)
  await expect(bankReference).toHaveValue('ATL-LATE')
  expect((await kept).status()).toBe(200)
  await expect(page.getByText('Same amount')).toBeVisible()
  await expect(awaited).toHaveCount(0)

  // What was typed meanwhile stays, and the other text can be had.
  await before.leave()
  await page.goto(here)
  await expect(awaited).toBeVisible()
  const saved = page.waitForResponse((answer) => answer.request().postData()?.includes('ATL-MINE') ?? false)
  await bankReference.fill('ATL-MINE')
  expect((await saved).status()).toBe(200)
  expect(await before.store(JSON.stringify(['ATL-LATER', '66']))).toBe(200)
  await expect(page.getByText('You typed another text here, perhaps in another tab.')).toBeVisible()
  await expect(bankReference).toHaveValue('ATL-MINE')
  await page.getByRole('button', { name: 'Show the other text' }).click()
  await expect(bankReference).toHaveValue('ATL-LATER')
  await page.getByRole('button', { name: 'Show the other text' }).click()
  await expect(bankReference).toHaveValue('ATL-MINE')
  // Told once; and what stands there is what is kept.
  await page.reload()
  await expect(bankReference).toHaveValue('ATL-MINE')
  await expect(awaited).toHaveCount(0)
})
