import { expect, test } from '../support/fixtures.ts'
import { picture, pictureAtDoubleSize, pictureForReadme } from '../support/picture.ts'
import { queueRows } from '../support/queue.ts'
import type { SandboxControls } from '../support/sandbox-controls.ts'
import { signIn } from '../support/sign-in.ts'
import { ARBITRATOR, composer, openCase, resolution, thread } from '../support/workbench.ts'

/** The case with the longest thread. */
async function longestThread(sandbox: SandboxControls): Promise<string> {
  const cases = await sandbox.casesThatAre('OPEN')
  const lengths = await Promise.all(cases.map(async ({ id }) => ({ id, length: (await sandbox.bodiesOf(id)).length })))
  return lengths.toSorted((one, other) => other.length - one.length)[0]?.id ?? ''
}

test('the queue', { tag: '@readme' }, async ({ page, sandbox }) => {
  await signIn(page, ARBITRATOR, '/')
  await expect(page.getByRole('heading', { name: 'Open disputes by age' })).toBeVisible()
  await picture(page, 'home/arbitrator')
  await pictureForReadme(page, 'home/arbitrator', 'light')
  await page.goto('/disputes')
  await expect(queueRows(page).first()).toBeVisible()
  await picture(page, 'disputes/many')
  await pictureForReadme(page, 'disputes/many', 'light')
  await page.goto('/disputes?assignee=mine')
  await picture(page, 'disputes/none-of-mine')
  await page.goto('/disputes?status=resolved')
  await picture(page, 'disputes/resolved')
  await sandbox.fault({ method: 'GET', path: '/api/v1/Dispute', times: 200, effect: { status: 500 } })
  await page.context().clearCookies()
  await signIn(page, 'admin@example.com', '/disputes')
  await picture(page, 'disputes/a-list-that-fails')
})

test('a case', { tag: '@readme' }, async ({ page, sandbox }) => {
  const long = await longestThread(sandbox)
  await openCase(page, long)
  await picture(page, 'case/many-messages')
  await pictureForReadme(page, 'case/many-messages', 'dark')
  await pictureAtDoubleSize(page, 'case/many-messages')
  const caseId = await sandbox.raiseCase()
  await page.goto(`/disputes/${caseId}`)
  await expect(thread(page)).toBeVisible()
  await picture(page, 'case/one-message')
  await composer(page).fill('Please post the receipt.')
  await page.getByText('Refund the sender', { exact: true }).first().click()
  await page.getByLabel('Reason, shown to both sides').fill('The parcel never left.')
  await page.getByRole('button', { name: 'Refund the sender', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Refund the sender/ })
  await expect(dialog).toBeVisible()
  await picture(page, 'case/dialog')
  await dialog.getByRole('button', { name: /^Refund the sender/ }).click()
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeVisible()
  await picture(page, 'case/step-up')
  await page.getByRole('textbox', { name: 'Code' }).fill(await sandbox.shownCode(ARBITRATOR))
  await page.keyboard.press('Enter')
  await expect(resolution(page)).toContainText('Sender refunded')
  await picture(page, 'case/resolved')
  await page.goto('/disputes/00000000-0000-4000-8000-0000000000ff')
  await picture(page, 'case/not-found')
})
