import { change, workspaceOf } from './support/case-workspace.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { queueRows, rowOfCase, shownCases } from './support/queue.ts'
import { signIn } from './support/sign-in.ts'
import { alive, range } from './support/table.ts'

test('selected cases are assigned at once; what a colleague took meanwhile stays theirs, selected, with the reason', {
  tag: '@long',
}, async ({ page, browser, programs, sandbox: _reset }) => {
  await signIn(page, 'arbitrator@example.com', '/disputes')
  await alive(page)
  const [first = '', taken = '', third = '', fourth = ''] = await shownCases(page)
  const box = (caseId: string) => rowOfCase(page, caseId).getByRole('checkbox')
  const bar = page.getByRole('region', { name: 'Selected cases' })
  await box(first).check()
  await expect(bar).toContainText('1 selected')
  await box(third).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 selected')

  const colleague = await (await browser.newContext({ baseURL: programs.consoleUrl })).newPage()
  await signIn(colleague, 'admin@example.com', '/security')
  await workspaceOf(colleague, taken)
  await change(colleague, 'case.assign', { caseId: taken })
  await colleague.context().close()

  await bar.getByRole('button', { name: 'Assign to me' }).click()
  await expect(bar.getByText('2 of 3 cases assigned to you.')).toBeVisible()
  await expect(bar.getByRole('status').first()).toBeFocused()
  await expect(bar.getByRole('listitem')).toHaveText(/^….{6} Assigned to admin@example\.com at /)
  for (const mine of [first, third]) await expect(rowOfCase(page, mine)).toContainText('you')
  await expect(rowOfCase(page, taken)).toContainText('admin@example.com')
  await expect(bar).toContainText('1 selected')
  await expect(box(taken)).toBeChecked()
  await expect(queueRows(page).getByRole('checkbox', { checked: true })).toHaveCount(1)
  await expectAccessible(page)

  // By keys, to a colleague, with a note; what is done is selected no more.
  await bar.getByRole('button', { name: 'Clear' }).click()
  await rowOfCase(page, fourth).getByRole('link').first().focus()
  await page.keyboard.press('x')
  await bar.getByRole('button', { name: 'Assign to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assign 1 case' })
  await dialog.getByRole('radio', { name: 'admin@example.com' }).check()
  await dialog.getByLabel(/^Internal note/).fill('Ben calls on Monday.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Assign to admin@example.com' }).click()
  await expect(bar.getByText('1 case assigned to admin@example.com.')).toBeVisible()
  await expect(rowOfCase(page, fourth)).toContainText('admin@example.com')
  expect((await workspaceOf(page, fourth)).notes.map(({ text }) => text)).toEqual(['Ben calls on Monday.'])

  await page.getByRole('checkbox', { name: 'Select all cases of this page' }).check()
  await expect(bar).toContainText('20 selected')
  await expect(bar.getByRole('button', { name: 'Select all 30 of this filter' })).toBeVisible()
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(range(page, '21–30 of 30')).toBeVisible()
  await expect(queueRows(page).getByRole('checkbox', { checked: true })).toHaveCount(0)

  await page.getByRole('button', { name: 'Per person' }).click()
  await page.getByRole('link', { name: 'admin@example.com' }).click()
  await bar.getByRole('button', { name: 'Select all 2 of this filter' }).click()
  await bar.getByRole('button', { name: 'Reassign…' }).click()
  const all = page.getByRole('dialog', { name: 'Reassign 2 cases of admin@example.com' })
  await all.getByRole('radio', { name: 'Nobody' }).check()
  await expectAccessible(page)
  await all.getByRole('button', { name: 'Reassign to Nobody' }).click()
  await expect(bar.getByText('2 cases unassigned.')).toBeVisible()
  for (const caseId of [taken, fourth]) expect((await workspaceOf(page, caseId)).claim).toBeNull()
})
