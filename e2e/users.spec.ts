import { expect, expectAccessible, test } from './support/fixtures.ts'
import { historyTable, rowOf } from './support/history.ts'
import { Holder } from './support/holder.ts'
import { expectReadable } from './support/readable.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'
const NOBODY = '00000000-0000-4000-8000-0000000000ff'

test('a user is looked up by id, as exact text; whatever else is typed is told apart', async ({ page }) => {
  await signIn(page, OPERATOR)
  await page.getByRole('link', { name: 'Users' }).click()
  const field = page.getByLabel('User id')
  for (const [typed, words] of [
    ['', 'Enter a user id.'],
    ['ana@example.com', 'Users are found by id, not by e-mail address.'],
    [`${ANA}0`, 'Not a user id'],
  ] as const) {
    await field.fill(typed)
    await page.getByRole('button', { name: 'Look up' }).click()
    await expect(page.getByText(words)).toBeVisible()
    await expect(field).toHaveValue(typed)
  }
  await field.fill(` ${ANA} `)
  await field.press('Enter')
  await expect(page).toHaveURL(`/users/${ANA}`)
  await expect(historyTable(page)).toBeVisible()

  await page.goto('/users/not-an-id')
  await expect(page.getByText('Not a user id')).toBeVisible()
  await expect(field).toHaveValue('not-an-id')
  await page.goto(`/users?id=${ANA}`)
  await expect(page).toHaveURL(`/users/${ANA}`)
})

test('an account that nobody has is not found, or not visible; so is what it may do', { tag: '@long' }, async ({
  page,
}) => {
  await signIn(page, OPERATOR, `/users/${NOBODY}`)
  await expect(page.getByText('Not found, or not visible to you')).toBeVisible()
  await expect(page.getByText('No transactions yet')).toHaveCount(0)
  await page.getByRole('link', { name: 'Access' }).click()
  await expect(page.getByText('Not found, or not visible to you')).toBeVisible()
})

test('shows a payment’s two sides, fee and transaction', { tag: '@long' }, async ({
  page,
  programs,
  sandbox: _reset,
}) => {
  const payer = await Holder.signIn(programs.sandboxUrl, 'ana@example.com', ANA)
  const payee = await Holder.register(programs.sandboxUrl)
  const held = await payer.pay(payee.id, 20, { useEscrow: true })
  const instant = await payer.pay(payee.id, 5)
  await signIn(page, OPERATOR, `/users/${payee.id}`)
  await expect(rowOf(page, held)).toContainText('from')
  await expect(rowOf(page, held)).toContainText('Processing')
  await expect(rowOf(page, instant)).toContainText('Processed')
  const fee = rowOf(page, held).getByRole('cell').nth(8)
  await expect(fee).toContainText(/^0\.\d\d/)
  const charged = (await fee.textContent())?.slice(0, 4) ?? ''
  await expect(rowOf(page, instant).getByRole('cell').nth(8)).toBeEmpty()

  await rowOf(page, held).getByTitle(ANA).click()
  await expect(page).toHaveURL(`/users/${ANA}`)
  await expect(rowOf(page, held)).toContainText('to')
  await rowOf(page, held).getByTitle(held).click()
  await expect(page.getByRole('definition').filter({ hasText: charged }).first()).toBeVisible()
  await page.getByTitle(payee.id).click()
  await expect(page).toHaveURL(`/users/${payee.id}`)
})

test('a queued row leads to its confirmation; without the scope it says which scope is needed', {
  tag: '@long',
}, async ({ page, context, programs, sandbox: _reset }) => {
  const holder = await Holder.register(programs.sandboxUrl)
  const reference = await holder.deposit(30)
  await signIn(page, OPERATOR, `/users/${holder.id}`)
  await rowOf(page, reference).getByRole('link', { name: 'Confirm' }).click()
  await expect(page.getByLabel('Reference', { exact: true })).toHaveValue(reference)
  await expect(page.getByRole('button', { name: 'Confirm deposit of 30.00 BZD' })).toBeVisible()

  for (const email of ['viewer@example.com', 'arbitrator@example.com']) {
    // A page left open reloads itself when it finds another person signed in, and would interrupt the next one.
    await page.goto('about:blank')
    await context.clearCookies()
    await signIn(page, email, `/users/${holder.id}`)
    const blockedReason = rowOf(page, reference).getByRole('button', { name: 'Confirm' })
    await expect(blockedReason).toHaveAttribute('aria-disabled', 'true')
    await expect(blockedReason).toHaveAccessibleDescription('It needs the scope core:transactions:confirm.')
    await expect(rowOf(page, reference).getByRole('link', { name: 'Confirm' })).toHaveCount(0)
    const area = page.getByRole('link', { name: 'Deposits' })
    await expect(area).toHaveAccessibleDescription('Deposits needs the scope core:transactions:confirm.')
    await expectAccessible(page)
  }
})

test('roles and scopes are told by area, held or not; the identity check is said not to be readable', {
  tag: '@long',
}, async ({ page }) => {
  await signIn(page, 'viewer@example.com', `/users/${ANA}/access`)
  await expect(page.getByText('Wallet holder', { exact: true })).toHaveAttribute('title', 'HOLDER')
  const line = (scope: string) => page.getByRole('listitem').filter({ hasText: scope })
  await expect(line('core:transactions:create')).toContainText('Announce deposits')
  await expect(line('core:transactions:create')).toContainText('held')
  await expect(line('core:transactions:create')).not.toContainText('not held')
  await expect(line('core:transactions:confirm')).toContainText('not held')
  await expect(page.getByRole('heading', { name: 'Merchant terminals' })).toBeVisible()
  await expect(page.getByText('not readable here')).toBeVisible()
})

test('a service that refuses to tell roles and scopes, or cannot, is told for what it is', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const path = '/api/v1/Users/{id}/scopes'
  await signIn(page, OPERATOR)
  await sandbox.fault({ method: 'GET', path, effect: { status: 403, title: 'You may not see this user.' } })
  await page.goto(`/users/${ANA}/access`)
  await expect(page.getByText('You may not see this user.')).toBeVisible()
  await sandbox.fault({ method: 'GET', path, times: 3, effect: 'drop-before' })
  await page.reload()
  await expect(page.getByText('The service cannot be reached')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Scopes' })).toBeVisible()
})

test('notes in any script stay in their cell, show what is invisible, and are cut when they are long', {
  tag: '@long',
}, async ({ page, programs, sandbox: _reset }) => {
  const holder = await Holder.register(programs.sandboxUrl)
  const disguised = await holder.deposit(1, 'safe\u202Egnp.exe <b>bold</b>')
  const long = await holder.deposit(2, 'to be long')
  programs.proxy.amend(`/api/v1/Transaction/account/${holder.id}`, (body) =>
    body.replace('to be long', 'ריק '.repeat(1250)),
  )
  await signIn(page, OPERATOR, `/users/${holder.id}`)
  await expect(rowOf(page, disguised)).toContainText('safe[U+202E]gnp.exe <b>bold</b>')
  expect((await rowOf(page, long).boundingBox())?.height).toBe(36)
  await rowOf(page, long).getByText('ריק').first().hover()
  await expect(page.getByRole('tooltip').filter({ hasText: 'The whole note, 5,000 characters' })).toBeVisible()
  expect(await page.content()).not.toContain('ריק '.repeat(100))
})

test('a user’s pages read well in light and dark, at every width', { tag: '@long' }, async ({
  page,
  programs,
  sandbox: _reset,
}) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposits(21)
  await signIn(page, OPERATOR)
  for (const path of [`/users/${holder.id}?page=0`, `/users/${ANA}/access`]) {
    await page.goto(path)
    await expectReadable(page, path)
  }
})
