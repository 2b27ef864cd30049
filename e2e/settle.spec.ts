import type { Page } from '@playwright/test'
import { expect, expectAccessible } from './support/fixtures.ts'
import { test } from './support/own-policy.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const POLICY = JSON.stringify({ rules: [{ kind: 'deposit.settle', approval: { by: 1 } }] })

/** The form in which a person says what came of a change. */
const verdict = (page: Page) => page.getByLabel('How do you know the outcome?')

test('where the policy wants it, others approve what somebody says of a change whose end is not known', {
  tag: '@long',
}, async ({ under, programs, sandbox }) => {
  const { pageOf } = await under(POLICY)
  const [maker, approver] = [await pageOf('operator@example.com'), await pageOf('admin@example.com')]
  const reference = await sandbox.announceDeposit('ana@example.com', '77')
  await sandbox.fault({ method: 'POST', path: CONFIRM, effect: 'drop-after' })
  await maker.goto(`/deposits?reference=${encodeURIComponent(reference)}`)
  await maker.getByLabel('Bank’s reference').fill(`ATL-${reference}`)
  await maker.getByLabel('Amount on the statement').fill('77')
  await maker.getByRole('button', { name: /^Confirm deposit/ }).click()
  const block = () =>
    sandbox.moveTransaction(reference, 'block').then(
      () => true,
      () => false,
    )
  // Blocked at once, it tells nothing of how the confirmation ended.
  await Promise.all([
    expect.poll(block, { intervals: [50] }).toBe(true),
    maker
      .getByRole('dialog')
      .getByRole('button', { name: /^Confirm deposit/ })
      .click(),
  ])
  await expect(maker.getByRole('heading', { name: 'Not known yet' })).toBeVisible()
  // As if it had been looked at for as long as the console looks.
  await programs.postgres?.query(
    `UPDATE command SET sent_at = to_char(now() AT TIME ZONE 'UTC' - interval '700 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
     WHERE target = $1`,
    [reference],
  )
  const [row] = (await programs.postgres?.query('SELECT id FROM command WHERE target = $1', [reference])) ?? []
  await maker.goto(`/activity/${String(row?.id)}`)
  await verdict(maker).fill('The bank says that it never came')
  await maker.getByRole('button', { name: 'It did not happen' }).click()
  const dialog = maker.getByRole('dialog')
  await expect(dialog).toContainText('Record that it did not happen: Confirm deposit of 77.00 BZD')
  await expectAccessible(maker)
  await dialog.getByLabel('Reason for approval').fill('So that it can be confirmed anew')
  await dialog.getByRole('button', { name: 'Ask for approval of 77.00 BZD' }).click()
  await expect(maker.getByText('It can be sent once someone else approves it.')).toBeVisible()

  await approver.goto('/')
  await approver
    .getByRole('link', { name: /^Record that it did not happen/ })
    .first()
    .click()
  await expect(approver.getByText('The bank says that it never came').first()).toBeVisible()
  await approver.getByRole('button', { name: 'Approve' }).click()
  await maker.getByRole('button', { name: 'Send it' }).click()
  await dialog.getByRole('button', { name: 'It did not happen' }).click()
  await expect(maker.getByText('It did not happen').first()).toBeVisible()
  await expect
    .poll(async () => (await programs.postgres?.query('SELECT state FROM command WHERE target = $1', [reference]))?.[0])
    .toEqual({ state: 'not_applied' })
})
