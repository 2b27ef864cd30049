import { expect, test } from './support/fixtures.ts'
import { composer, connection, openCase, thread } from './support/workbench.ts'

test('keys lead to the message, the note, the decision and the cases beside, and mean nothing where one types', async ({
  page,
  sandbox,
}) => {
  await sandbox.raiseCase()
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  const note = page.getByLabel('New internal note')
  const refund = page.getByRole('radio', { name: 'Refund the sender' })
  await page.keyboard.press('m')
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('[m]nr')
  await expect(composer(page)).toHaveValue('[m]nr')
  await page.keyboard.press('Escape')
  await expect(thread(page)).toBeFocused()
  await expect(composer(page)).toHaveValue('[m]nr')
  await page.keyboard.press('r')
  await expect(refund).toBeFocused()
  await page.keyboard.press('n')
  await expect(note).toBeFocused()
  await page.keyboard.press('Escape')

  // One pane at a time: the key brings its own into view.
  await page.setViewportSize({ width: 390, height: 900 })
  await page.keyboard.press('r')
  await expect(page.getByRole('tab', { name: 'Decision' })).toHaveAttribute('aria-selected', 'true')
  await expect(refund).toBeFocused()
  await page.keyboard.press('m')
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('Escape')

  // The youngest is the last of the queue; the one before it, and back, also where the queue is not in sight.
  await page.keyboard.press(']')
  await page.keyboard.press('[')
  await expect(page).not.toHaveURL(new RegExp(caseId))
  await expect(connection(page, 'Live')).toBeVisible({ timeout: 20_000 })
  await page.keyboard.press(']')
  await expect(page).toHaveURL(new RegExp(caseId))
  await expect(composer(page)).toHaveValue('[m]nr')

  // Of those that are chosen: the next of mine is none, and of those without an assignee it is another.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: /^Mine/ }).click()
  await page.keyboard.press('[')
  await page.getByRole('button', { name: /^Unassigned/ }).click()
  await expect(page).toHaveURL(new RegExp(caseId))
  await page.keyboard.press('[')
  await expect(page).toHaveURL(/queue=unassigned$/)
})
