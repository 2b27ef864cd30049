import { expect, expectAccessible, test } from './support/fixtures.ts'
import { Holder } from './support/holder.ts'
import { expectOutcome, holdReads } from './support/outcome.ts'
import { ANA, BEN, type SandboxControls } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'

const ARBITRATOR = 'arbitrator@example.com'
const RESOLVE = '/api/v1/Transaction/dispute/resolve'
const READ = '/api/v1/Transaction/{referenceId}'

const pageOf = (reference: string): string => `/transactions/${encodeURIComponent(reference)}`

/** What Ana paid Ben is disputed, and no case is about it. */
async function disputedWithoutCase(sandbox: SandboxControls, sandboxUrl: string): Promise<string> {
  const ana = await Holder.signIn(sandboxUrl, 'ana@example.com', ANA)
  const reference = await ana.pay(BEN, 20, { useEscrow: true })
  await sandbox.moveTransaction(reference, 'dispute')
  return reference
}

test('a disputed transaction that no case is about is decided on its own page, with a code, once', {
  tag: '@long',
}, async ({ page, programs, sandbox }) => {
  const reference = await disputedWithoutCase(sandbox, programs.sandboxUrl)
  const before = await sandbox.arrived('POST', RESOLVE)
  await signIn(page, ARBITRATOR, pageOf(reference))
  const refund = page.getByRole('radio', { name: 'Refund the sender' })
  await expect(refund).toBeEnabled()
  await expect(page.getByText('needs a code')).toBeVisible()
  await expect(page.getByText('thread', { exact: false })).toHaveCount(0)
  await refund.check({ force: true })
  const reason = page.getByLabel('Reason, shown to both sides')
  await reason.press('/')
  await expect(page.getByText('No snippets yet', { exact: false })).toBeVisible()
  await reason.press('Escape')
  await reason.fill('Both sides agree by phone.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Refund the sender', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Refund the sender/ })
  await expect(dialog).toContainText('20')
  await dialog.getByRole('button', { name: /^Refund the sender/ }).click()
  await page.getByRole('textbox', { name: 'Code' }).fill(await sandbox.shownCode(ARBITRATOR))
  await page.keyboard.press('Enter')
  const done = await expectOutcome(page, 'Done')
  await expect(done).toContainText('Reversing transaction')
  await expect(page.getByLabel('Reason, shown to both sides')).toHaveCount(0)
  await expectAccessible(page)
  await page.reload()
  await expect(done).toContainText('Reversing transaction')
  // Once without a grant, which the service asks for, and once with it.
  expect(await sandbox.arrived('POST', RESOLVE)).toBeLessThanOrEqual(before + 2)
})

test('keeps the outcome beside a read that fails', { tag: '@long' }, async ({ page, programs, sandbox }) => {
  const reference = await disputedWithoutCase(sandbox, programs.sandboxUrl)
  await signIn(page, ARBITRATOR, pageOf(reference))
  await page.getByRole('radio', { name: 'Release to the recipient' }).check({ force: true })
  await page.getByLabel('Reason, shown to both sides').fill('Both sides agree by phone.')
  await page.getByRole('button', { name: 'Release to the recipient', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Release/ })
    .click()
  await page.getByRole('textbox', { name: 'Code' }).fill(await sandbox.shownCode(ARBITRATOR))
  const readAgain = await holdReads(page)
  await page.keyboard.press('Enter')
  const done = await expectOutcome(page, 'Done')
  await sandbox.fault({ method: 'GET', path: READ, times: 9, effect: { status: 500 } })
  readAgain()
  await expect(page.getByRole('heading', { name: 'Look up' })).toBeVisible()
  await expect(done).toBeFocused()
  await sandbox.clearFaults()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Amounts' })).toBeVisible()
  await expect(done).toBeVisible()
})

test('where a case exists, its transaction leads there, and is not decided here', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const caseId = await sandbox.raiseCase()
  await signIn(page, ARBITRATOR, `/disputes/${caseId}`)
  const transaction = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Transaction' }) })
  await transaction.getByRole('link', { name: /^P2P/ }).click()
  await expect(page.getByText('Resolve it there.')).toBeVisible()
  await expect(page.getByLabel('Reason, shown to both sides')).toHaveCount(0)
  await page.getByRole('link', { name: 'Open the case' }).click()
  await expect(page).toHaveURL(`/disputes/${caseId}`)
})

test('while the list of cases cannot be read whole, nothing is decided, and it says why', { tag: '@long' }, async ({
  page,
  programs,
  sandbox,
}) => {
  const reference = await disputedWithoutCase(sandbox, programs.sandboxUrl)
  await sandbox.fault({ method: 'GET', path: '/api/v1/Dispute', times: 20, effect: { status: 503 } })
  await signIn(page, ARBITRATOR, pageOf(reference))
  await expect(page.getByText('Until then it cannot be resolved here.')).toBeVisible()
  await sandbox.clearFaults()
  await page.reload()
  await expect(page.getByLabel('Reason, shown to both sides')).toBeVisible()
})

test('to one who is no arbitrator nothing is offered, and it says what is missing', { tag: '@long' }, async ({
  page,
  programs,
  sandbox,
}) => {
  const reference = await disputedWithoutCase(sandbox, programs.sandboxUrl)
  await signIn(page, 'operator@example.com', pageOf(reference))
  await expect(page.getByText('It needs the full case list, read as admin')).toBeVisible()
})
