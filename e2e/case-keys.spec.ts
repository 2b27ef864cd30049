import { expect, expectAccessible, test } from './support/fixtures.ts'
import { composer, connection, jumpToLatest, openCase, said, thread } from './support/workbench.ts'

test('keys lead to the message, the note, the decision and the cases beside, and mean nothing where one types', {
  tag: '@long',
}, async ({ page, sandbox }) => {
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
  await expect(connection(page, 'Live')).toBeVisible()
  // The queue is read apart from the case, and may come after it.
  await expect(page.locator(`a[aria-keyshortcuts="]"][href*="${caseId}"]`)).toBeAttached()
  await page.keyboard.press(']')
  await expect(page).toHaveURL(new RegExp(caseId))
  await expect(composer(page)).toHaveValue('[m]nr')

  // Of those that are chosen: the next of mine is none, and of those without an assignee it is another.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: /^Mine/ }).click()
  await page.keyboard.press('[')
  await page.getByRole('button', { name: /^Unassigned/ }).click()
  await expect(page).toHaveURL(new RegExp(caseId))
  await expect(page.locator('a[aria-keyshortcuts="["][href$="queue=unassigned"]')).toBeVisible()
  await page.keyboard.press('[')
  await expect(page).toHaveURL(/queue=unassigned$/)
})

test('finds text in messages, steps through hits, ends with Esc', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  for (let at = 1; at <= 12; at += 1) {
    const words =
      at % 4 === 0 ? `The courier (${at}) has it; ask the COURIER.` : `Line ${at}. It never came. `.repeat(8)
    await sandbox.postMessage(caseId, 'ana@example.com', words)
  }
  await openCase(page, caseId)
  await jumpToLatest(page)
  await page.keyboard.press('f')
  const field = page.getByRole('textbox', { name: 'Search the thread' })
  await expect(field).toBeFocused()
  // Above the end, where one still reads.
  await expect(thread(page).locator('article').last()).toBeInViewport({ ratio: 1 })
  await page.keyboard.type('courier')
  const count = page.getByRole('search').getByRole('status')
  await expect(count).toHaveText('1 of 6')
  const marked = () => page.evaluate(() => [...(CSS.highlights.get('hit') ?? [])].map(String))
  expect(await marked()).toEqual(['courier', 'COURIER', 'courier', 'COURIER', 'courier', 'COURIER'])
  await expect(said(page, 'The courier (4) has it; ask the COURIER.')).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Shift+Enter')
  await expect(count).toHaveText('6 of 6')
  await expect(said(page, 'The courier (12) has it; ask the COURIER.')).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Enter')
  await expect(count).toHaveText('1 of 6')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(count).toHaveText('3 of 6')

  // One more comes: it is found, and nothing moves.
  const hit = said(page, 'The courier (8) has it; ask the COURIER.')
  const before = (await hit.boundingBox())?.y
  await sandbox.postMessage(caseId, 'ben@example.com', 'No courier was here (yet).')
  await expect(count).toHaveText('3 of 7')
  expect((await hit.boundingBox())?.y).toBe(before)
  await field.fill('(yet).')
  await expect(count).toHaveText('1 of 1')
  await field.fill('nothing of it')
  await expect(count).toHaveText('no matches')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  expect(await marked()).toEqual([])
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeFocused()
})
