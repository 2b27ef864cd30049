import type { Page } from '@playwright/test'
import { fillNewCard, sendNewCard } from './support/card-tasks.ts'
import { expect, test } from './support/fixtures.ts'
import { outcome } from './support/outcome.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'
const ISSUE = '/api/v1/cards'
/** Somebody of whom no other test of this console has an open issue. */
const LOCKED = '00000000-0000-4000-8000-000000000021'

const issueButton = (page: Page) => page.getByRole('button', { name: /^Issue a card/ })

test('what a field cannot take is refused at it, stays typed, and nothing is asked', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signIn(page, OPERATOR, '/cards/issue')
  const before = await sandbox.arrived('POST', ISSUE)
  for (const [label, typed, words] of [
    ['Holder’s user id', '', 'Enter a user id.'],
    ['Holder’s user id', 'ana@example.com', 'not by e-mail'],
    ['Holder’s user id', '000011', 'Not a user id'],
    ['Card type', 'Classic', 'A whole number'],
    ['Printed name', '', 'Enter the name'],
    ['Printed name', 'x'.repeat(65), 'At most 64 characters; this has 65.'],
    ['Printed name', 'Ana\u202EAlvarez', '[U+202E]'],
    ['Printed name', '9084 0030 7218 3688', 'Remove the card number'],
    ['Card type', '1.5', 'A whole number'],
  ] as const) {
    await fillNewCard(page, { userId: ANA })
    await expect(page.getByText(words)).toHaveCount(0)
    await page.getByLabel(label).fill(typed)
    await issueButton(page).click()
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.getByLabel(label)).toHaveValue(typed)
    await expect(page.getByLabel(label)).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  expect(await sandbox.arrived('POST', ISSUE)).toBe(before)
})

test('explains a silent, busy or broken service, with trace id', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await signIn(page, OPERATOR)
  for (const [effect, title, words] of [
    [{ status: 500, code: 'core::tessera::update::fail' }, 'Not done', 'could not save the card'],
    [{ status: 429, retryAfter: 7 }, 'Not done', 'The service needs a pause.'],
    [{ status: 500, code: 'core::server::fail' }, 'Not known yet', 'It is not sent again'],
  ] as const) {
    await sandbox.fault({ method: 'POST', path: ISSUE, effect })
    await sendNewCard(page, { userId: LOCKED })
    await expect(outcome(page, title)).toContainText(words)
    await expect(outcome(page, title).getByRole('button', { name: 'copy Trace id' })).toBeVisible()
  }
})

test('a holder whom the service does not know: the form keeps what was typed, and the field is named', {
  tag: '@long',
}, async ({ page }) => {
  const nobody = '00000000-0000-4000-8000-0000000000ff'
  await signIn(page, OPERATOR)
  await sendNewCard(page, { userId: nobody })
  await expect(outcome(page, 'Not done')).toContainText('userId')
  await expect(outcome(page, 'Not done')).toContainText('is not a user of this service')
  await expect(page.getByLabel('Holder’s user id')).toHaveValue(nobody)
})

test('one who may not issue sees which scope it takes, and nobody’s cards', { tag: '@long' }, async ({ page }) => {
  await signIn(page, 'viewer@example.com', '/cards')
  await expect(page.getByText('You cannot see the card register')).toBeVisible()
  await expect(page.getByText('It needs the scope core:cards:create or core:cards:manage.')).toBeVisible()
  await page.goto('/cards?find=1234')
  await expect(page.getByText('Nothing was searched. You can find a card only by its full id')).toBeVisible()
  await page.goto(`/cards?find=${ANA}`)
  await expect(page).toHaveURL(`/cards/${ANA}`)
  await page.goto('/cards/issue')
  await expect(page.getByText('needs the scope core:cards:create')).toBeVisible()
  await expect(issueButton(page)).toBeDisabled()
})
