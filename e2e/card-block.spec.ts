import type { Page } from '@playwright/test'
import { confirm, issueCard } from './support/card-tasks.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { expectOutcome, outcome } from './support/outcome.ts'
import { ANA, type SandboxControls } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'
const BLOCK = '/api/v1/cards/{cardId}/block'
const NOBODYS = '11111111-2222-4333-8444-555555555555'

const blockButton = (page: Page) => page.getByRole('button', { name: /^Block/ })

async function fillBlock(page: Page, last4: string, reason: string): Promise<void> {
  await page.getByLabel('Last four digits').fill(last4)
  await page.getByLabel('Reason').fill(reason)
}

const statusOf = async (sandbox: SandboxControls, id: string) =>
  (await sandbox.cardsOf('ana@example.com')).find((card) => card.id === id)?.status

test('a card from here is blocked with its last four digits, for good, and replaced', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signIn(page, OPERATOR)
  const { id, last4 } = await issueCard(page, { userId: ANA })
  await page.goto('/cards')
  await page.getByLabel('Search cards').fill(` ${id.toUpperCase()} `)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('heading', { name: `Card ending ${last4}` })).toBeVisible()
  await expect(page.getByLabel('Last four digits')).toBeFocused()
  await expect(page.getByText('Only the holder can see whether this card is active or frozen')).toBeVisible()
  await page.goto(`/cards/${id}`)

  await blockButton(page).click()
  await expect(page.getByText('Enter the last four digits')).toBeVisible()
  await expect(page.getByText('Enter a reason, for example')).toBeVisible()
  await fillBlock(page, last4 === '0000' ? '0001' : '0000', 'Stolen, reported by the holder')
  await blockButton(page).click()
  await expect(page.getByText('The digits do not match this card.')).toBeVisible()
  await expectAccessible(page)

  await fillBlock(page, last4, 'Stolen, reported by the holder')
  await blockButton(page).dblclick()
  const dialog = page.getByRole('dialog', { name: `Block card ending ${last4}` })
  await expect(dialog).toContainText('can never pay again or be unblocked')
  await expect(dialog).toContainText('Ana Alvarez')
  await expectAccessible(page)
  const before = await sandbox.arrived('POST', BLOCK.replace('{cardId}', id))
  await dialog.getByRole('button', { name: /^Block/ }).dblclick()
  await expect(await expectOutcome(page, 'Done')).toContainText('Blocked')
  await expect(page.getByText('Blocked here')).toBeVisible()
  await expectAccessible(page)
  expect(await statusOf(sandbox, id)).toBe('BLOCKED')
  expect(await sandbox.arrived('POST', BLOCK.replace('{cardId}', id))).toBe(before + 1)

  await page.reload()
  await expect(outcome(page, 'Done')).toContainText('Stolen, reported by the holder')
  await page.getByRole('link', { name: 'Issue a replacement' }).click()
  await expect(page).toHaveURL(`/cards/issue?replaces=${id}`)
  await expect(page.getByLabel('Holder’s user id')).toHaveValue(ANA)
  await expect(page.getByLabel('Card type')).toHaveValue('1')
  await expect(page.getByLabel('Printed name')).toHaveValue('Ana Alvarez')
  await page.getByRole('button', { name: /^Issue a card/ }).click()
  await confirm(page, /^Issue a card/)
  await page.getByRole('button', { name: 'I have handed it over' }).click()
  await expect(outcome(page, 'Done')).toContainText('Ana Alvarez')
})

test('a card that nobody here knows is not found, and is blocked all the same, without its digits', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const { id } = await sandbox.issueElsewhere(ANA)
  await signIn(page, OPERATOR, `/cards/${id}`)
  await expect(page.getByText('Not found, or not visible to you')).toBeVisible()
  await expect(page.getByText('You can still block it.')).toBeVisible()
  await expectAccessible(page)
  await fillBlock(page, '', 'Stolen, reported by the holder')
  await blockButton(page).click()
  await expect(page.getByRole('dialog')).toContainText('not given')
  await confirm(page, /^Block/)
  await expect(outcome(page, 'Done')).toContainText('not known here')
  expect(await statusOf(sandbox, id)).toBe('BLOCKED')
  await expect(page.getByText('the replacement starts empty')).toBeVisible()
})

test('a card that is not there is refused in its own words, with the code and the trace id', { tag: '@long' }, async ({
  page,
}) => {
  await signIn(page, OPERATOR, `/cards/${NOBODYS}`)
  await fillBlock(page, '1234', 'Stolen')
  await blockButton(page).click()
  await confirm(page, /^Block/)
  const refused = await expectOutcome(page, 'Not done')
  await expect(refused).toContainText('Card not found, or not visible to you')
  await expect(refused).toContainText('core::tessera::not_found')
  await expect(refused.getByRole('button', { name: 'copy Trace id' })).toBeVisible()
})

test('a lost answer to a block is settled by a person, and the block may be sent again', { tag: '@long' }, async ({
  page,
  context,
  sandbox,
}) => {
  await signIn(page, OPERATOR)
  const { id, last4 } = await issueCard(page, { userId: ANA })
  await page.goto(`/cards/${id}`)
  const olderTab = await context.newPage()
  await olderTab.goto(`/cards/${id}`)
  await fillBlock(page, last4, 'Stolen')
  await blockButton(page).click()
  await sandbox.fault({ method: 'POST', path: BLOCK, effect: 'drop-before' })
  await confirm(page, /^Block/)
  const open = await expectOutcome(page, 'Not known yet')
  await expect(open).toContainText('then settle this below')
  await page.reload()
  await expectAccessible(page)
  await expect(page.getByText('The outcome of the previous change is not known. Settle it first.')).toBeVisible()
  await expect(blockButton(page)).toBeDisabled()
  await fillBlock(olderTab, last4, 'Stolen')
  await blockButton(olderTab).click()
  await expect(olderTab.getByText('or an outcome is not known yet')).toBeVisible()

  await open.getByRole('button', { name: 'It did not happen' }).click()
  await expect(open.getByText('Enter how you know')).toBeVisible()
  await open.getByLabel('How do you know the outcome?').fill('The holder still sees it active')
  await open.getByRole('button', { name: 'It did not happen' }).click()
  await expect(await expectOutcome(page, 'Not done')).toContainText('The holder still sees it active')
  await fillBlock(page, last4, 'Stolen')
  await blockButton(page).click()
  await confirm(page, /^Block/)
  await expect(outcome(page, 'Done')).toBeVisible()
  expect(await statusOf(sandbox, id)).toBe('BLOCKED')

  // The register shows it once it is read again, and moves what stands below.
  await expect(page.getByText('Blocked by')).toBeVisible()
  // Whoever is not certain sends it again; the service says what it thinks of that.
  await page.getByText('Block again').click()
  await fillBlock(page, last4, 'To be certain')
  await page.getByRole('button', { name: `Block card ending ${last4}` }).click()
  await expect(page.getByRole('dialog')).toContainText('already blocked')
  await confirm(page, /^Block/)
  await expect(outcome(page, 'Not done')).toContainText('Its state does not allow this change')
})

test('a whole card number is never searched: nothing of it stays, neither in the field nor in an address', async ({
  page,
}) => {
  const number = '9084003072183688'
  await signIn(page, OPERATOR, '/cards')
  const field = page.getByLabel('Search cards')
  for (const typed of [number, '9084 0030 7218 3688']) {
    await field.fill(typed)
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByText('Full card numbers are never searched')).toBeVisible()
    await expect(field).toHaveValue('')
    await expect(page).toHaveURL('/cards')
  }
  await field.fill('12345')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter a full id, or the last four digits')).toBeVisible()
  await expect(field).toHaveValue('12345')
  for (const address of [`/cards?find=${number}`, `/cards/${number}`, '/cards/9084%200030%207218%203688']) {
    await page.goto(address)
    await expect(page.getByText('Full card numbers are never searched')).toBeVisible()
    await expect(page).toHaveURL('/cards?refused=card-number')
    expect(await page.content()).not.toContain(number)
  }
})

test('no look-up of a reference takes a card number to an address or the service', async ({ page, sandbox }) => {
  const number = '9084003072183688'
  await signIn(page, OPERATOR, '/')
  const field = page.getByRole('textbox', { name: 'Reference', exact: true })
  for (const path of ['/transactions', '/deposits']) {
    await page.goto(path)
    await field.fill(number)
    await page.getByRole('button', { name: 'Look up' }).click()
    await expect(page.getByText('Card numbers are never looked up. Find cards on the Cards page.')).toBeVisible()
    await expect(page).toHaveURL(path)
  }
  await page.goto(`/transactions?reference=${number}`)
  await expect(page.getByRole('button', { name: 'Look up' })).toBeEnabled()
  await expect(field).toHaveValue('')
  expect(await sandbox.arrived('GET', `/api/v1/Transaction/${number}`)).toBe(0)
})

test('distinguishes a failed read from a missing card', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await signIn(page, OPERATOR, '/cards/abc')
  await expect(page.getByText('Not a card id')).toBeVisible()
  await expect(blockButton(page)).toHaveCount(0)
  const effect = { status: 503, title: 'a stack' }
  await sandbox.fault({ method: 'GET', path: '/api/v1/cards/{cardId}', times: 3, effect })
  await page.goto('/cards/11111111-2222-4333-8444-666666666666')
  await expect(page.getByText('The service could not answer')).toBeVisible()
  await expect(page.getByText('Not found')).toHaveCount(0)
  await expect(blockButton(page)).toBeEnabled()
})

test('one who may not block sees which scope it takes', { tag: '@long' }, async ({ page }) => {
  await signIn(page, 'viewer@example.com', `/cards/${NOBODYS}`)
  await expect(page.getByText('needs the scope core:cards:manage')).toBeVisible()
  await expect(page.getByText('Seeing the card register needs the scope')).toBeVisible()
  await expect(blockButton(page)).toBeDisabled()
  await page.goto('/cards')
  await expect(page.getByRole('link', { name: 'Cards' })).toHaveAccessibleDescription(/core:cards:manage/)
})

test('one without any card scope is told so where the card is read', { tag: '@long' }, async ({ page }) => {
  await signIn(page, 'arbitrator@example.com', `/cards/${NOBODYS}`)
  await expect(page.getByText('It needs the scope core:cards:read.')).toBeVisible()
})
