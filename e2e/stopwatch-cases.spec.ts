import type { Page } from '@playwright/test'
import { change } from './support/case-workspace.ts'
import { expect, test } from './support/fixtures.ts'
import { begin, button, INPUT_DEVICES, type InputDevice, inDialog } from './support/hands.ts'
import { queueRows } from './support/queue.ts'
import type { SandboxControls } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { expectDocumented, startStopwatch } from './support/stopwatch.ts'
import { alive } from './support/table.ts'
import { ARBITRATOR, composer, connection, onTheWay, resolution, said, send } from './support/workbench.ts'

for (const way of INPUT_DEVICES) {
  test(`from the queue to a resolved case and the next one takes what the table says: ${way}`, {
    tag: '@long',
  }, async ({ page, sandbox }) => {
    await signIn(page, ARBITRATOR, '/disputes')
    const count = await startStopwatch(page)
    await expect(button(page, 'Assign the next case to me')).toBeEnabled()
    await alive(page)
    const took = await count(() => resolve(page, sandbox, way))
    expectDocumented('From the queue to a resolved case and the next one', way, took)
    // By keys twelve at most; the mouse alone takes more than two clicks, and the two may be mixed.
    if (way === 'keys') expect(took.keys).toBeLessThanOrEqual(12)
  })

  test(`assigning, answering and refunding take what the table says: ${way}`, { tag: '@long' }, async ({
    page,
    sandbox,
  }) => {
    await signIn(page, ARBITRATOR, '/disputes')
    const count = await startStopwatch(page)
    await expect(button(page, 'Assign the next case to me')).toBeEnabled()
    const took = await count(() => assignAnswerRefund(page, sandbox, way))
    expectDocumented('Assign the next case, answer it and refund', way, took)
    if (way === 'keys') expect(took.keys).toBeLessThanOrEqual(9)
  })
}

async function resolve(page: Page, sandbox: SandboxControls, way: InputDevice): Promise<void> {
  const refund = page.getByRole('radio', { name: 'Refund the sender' })
  const reason = page.getByLabel('Reason, shown to both sides')
  const next = inDialog(page, 'Resolve and open next')
  const opener = queueRows(page).first().getByRole('link').first()
  if (way === 'keys') {
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
  } else await opener.click()
  await expect(connection(page, 'Live')).toBeVisible()
  const first = page.url()
  if (way === 'keys') {
    await page.keyboard.press('r')
    await expect(refund).toBeFocused()
    await page.keyboard.press('Space')
    await expect(refund).toBeChecked()
    await page.keyboard.press('Tab')
  } else {
    await page.getByText('Refund the sender', { exact: true }).first().click()
    await reason.click()
  }
  await expect(refund).toBeChecked()
  await expect(reason).toBeFocused()
  await page.keyboard.type('Nothing was sent that week.')
  if (way === 'keys') {
    await page.keyboard.press('Control+Enter')
    await expect(next).toBeVisible()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
  } else {
    await button(page, 'Refund the sender').click()
    await next.click()
  }
  await enterCode(page, sandbox, way)
  await expect(page).not.toHaveURL(first)
}

async function enterCode(page: Page, sandbox: SandboxControls, way: InputDevice): Promise<void> {
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused()
  await page.keyboard.type(await sandbox.shownCode(ARBITRATOR))
  if (way === 'keys') await page.keyboard.press('Enter')
  else await page.getByRole('dialog').locator('button[type="submit"]').click()
}

async function assignAnswerRefund(page: Page, sandbox: SandboxControls, way: InputDevice): Promise<void> {
  const press = (key: string) => page.keyboard.press(key)
  const refund = page.getByRole('radio', { name: 'Refund the sender' })
  const reason = page.getByLabel('Reason, shown to both sides')
  if (way === 'keys') await press('o')
  else await button(page, 'Assign the next case to me').click()
  await expect(connection(page, 'Live')).toBeVisible()
  if (way === 'keys') await press('m')
  else await composer(page).click()
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('Thank you, we refund this.')
  if (way === 'keys') await press('Control+Enter')
  else await send(page).click()
  await expect(said(page, 'Thank you, we refund this.')).toBeVisible()
  // A decision prepared before it arrives must be checked again.
  await expect(onTheWay(page)).toHaveCount(0)
  await expect(composer(page)).toHaveValue('')
  if (way === 'keys') {
    await press('r')
    await expect(refund).toBeFocused()
    await press('Space')
    await press('Tab')
  } else {
    await page.getByText('Refund the sender', { exact: true }).first().click()
    await reason.click()
  }
  await expect(reason).toBeFocused()
  await page.keyboard.type('Nothing was sent that week.')
  const confirm = inDialog(page, /^Refund/)
  if (way === 'keys') {
    await press('Control+Enter')
    await expect(confirm).toBeVisible()
    await press('Control+Enter')
  } else {
    await button(page, 'Refund the sender').click()
    await confirm.click()
  }
  await enterCode(page, sandbox, way)
  await expect(resolution(page)).toContainText('Sender refunded')
}

test('assigning the next case and replying with a snippet take what the table says', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await signIn(page, ARBITRATOR, '/disputes')
  await change(page, 'snippet.save', {
    id: crypto.randomUUID(),
    name: 'Ask for the day',
    text: 'Which day was it?',
    changedAt: '',
  })
  const count = await startStopwatch(page)
  for (const way of INPUT_DEVICES) {
    await begin(page, '/disputes')
    const next = button(page, 'Assign the next case to me')
    await expect(next).toBeEnabled()
    const assigned = await count(async () => {
      if (way === 'keys') await page.keyboard.press('o')
      else await next.click()
      await expect(page.getByText('Assignee: you', { exact: true })).toBeVisible()
    })
    expectDocumented('Assign the next case to me', way, assigned)
    const caseId = await sandbox.raiseCase()
    await begin(page, `/disputes/${caseId}`)
    await expect(connection(page, 'Live')).toBeVisible()
    expectDocumented('Reply with a snippet', way, await count(() => reply(page, way)))
  }
})

async function reply(page: Page, way: InputDevice): Promise<void> {
  if (way === 'keys') await page.keyboard.press('m')
  else await composer(page).click()
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('/ask')
  const option = page.getByRole('option', { name: /Ask for the day/ })
  await expect(option).toHaveAttribute('aria-selected', 'true')
  if (way === 'keys') await page.keyboard.press('Enter')
  else await option.click()
  await expect(composer(page)).toHaveValue('Which day was it?')
  if (way === 'keys') await page.keyboard.press('Control+Enter')
  else await send(page).click()
  await expect(said(page, 'Which day was it?')).toBeVisible()
}
