import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { Holder } from './support/holder.ts'
import { area, confirmInDialog, press, pressIn, tabTo, typeInto } from './support/keyboard.ts'
import { expectReadable, expectReadableAt, LONG, WIDTHS } from './support/readable.ts'
import { ANA, type SandboxControls } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { ARBITRATOR, composer, connection, onTheWay, resolution, said, thread } from './support/workbench.ts'

/** With whom the open case is; the list beside it says the same of each. */
const assignee = (page: Page, words: string) =>
  page.getByRole('region', { name: 'Case', exact: true }).getByText(words, { exact: true })

const caseOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** Seeded people, by the last digits of their ids. */
const mails: Readonly<Record<string, string>> = {
  '011': 'ana@example.com',
  '012': 'ben@example.com',
  '013': 'cleo@example.com',
  '014': 'dario@example.com',
}

/** Whoever raised a case, as they sign in. */
async function raiserOf(sandbox: SandboxControls, caseId: string): Promise<string> {
  const found = (await sandbox.casesThatAre('OPEN')).find(({ id }) => id === caseId)
  const mail = mails[found?.raisedByUserId.slice(-3) ?? '']
  if (mail === undefined) throw new Error(`nobody is known who raised ${caseId}`)
  return mail
}

test('lets an arbitrator do a day’s work by keyboard alone', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await signIn(page, ARBITRATOR, '/')
  await pressIn(page, area(page, /^Disputes/), 'Enter')
  await pressIn(page, page.getByRole('button', { name: 'Assign the next case to me' }), 'Enter')
  await expect(page).toHaveURL(/\/disputes\/[\da-f-]{36}$/)
  const first = caseOf(page)
  await expect(assignee(page, 'Assignee: you')).toBeVisible()
  await expect(connection(page, 'Live')).toBeVisible()

  // Reads: the thread takes the focus, so that the arrow keys scroll it.
  await tabTo(page, thread(page))
  await typeInto(page, composer(page), 'Which day was it?')
  await page.keyboard.press('Control+Enter')
  await expect(said(page, 'Which day was it?')).toHaveCount(1)
  await expect(onTheWay(page)).toHaveCount(0)
  await expect(thread(page)).toBeFocused()
  await sandbox.postMessage(first, await raiserOf(sandbox, first), 'It was a Friday.')
  await expect(said(page, 'It was a Friday.')).toBeVisible()
  // A decision needs the new message in view.
  await pressIn(page, page.getByRole('button', { name: /^Jump to latest/ }), 'Enter')
  await expect(said(page, 'It was a Friday.')).toBeInViewport()

  await tabTo(page, page.getByRole('radio', { name: 'Refund the sender' }))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Release to the recipient' })).toBeChecked()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('radio', { name: 'Refund the sender' })).toBeChecked()
  await typeInto(page, page.getByLabel('Reason, shown to both sides'), 'Nothing was sent that week.')
  await pressIn(page, page.getByRole('button', { name: 'Refund the sender', exact: true }), 'Enter')
  await confirmInDialog(page, /^Refund the sender/)
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused()
  await page.keyboard.type(await sandbox.shownCode(ARBITRATOR))
  await page.keyboard.press('Enter')
  await expect(resolution(page)).toContainText('Nothing was sent that week.')
  await expect(resolution(page)).toContainText('Sender refunded')
  // What had the focus is gone, and nobody starts over at the top of the page.
  await expect(resolution(page)).toBeFocused()
  await tabTo(page, resolution(page).getByRole('link'))

  // From the list beside it: those without an assignee, down to the next, and in.
  const pane = page.getByRole('region', { name: 'Open cases' })
  await pressIn(page, pane.getByRole('button', { name: /^Unassigned/ }), 'Enter')
  const next = pane.getByRole('listitem').first().getByRole('link')
  await press(page, 'j', next)
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(new RegExp(first))
  await expect(assignee(page, 'Unassigned')).toBeVisible()
  await pressIn(page, page.getByRole('button', { name: 'Assign to me', exact: true }), 'Enter')
  await expect(assignee(page, 'Assignee: you')).toBeVisible()
  expect(caseOf(page)).not.toBe(first)
})

/** A case with much in its thread, and with what is hard to show. */
async function longThread(sandboxUrl: string, sandbox: SandboxControls): Promise<string> {
  const caseId = await sandbox.raiseCase()
  const ana = await Holder.signIn(sandboxUrl, 'ana@example.com', ANA)
  for (let at = 1; at <= 30; at += 1)
    await ana.write(caseId, `Line ${at}. ${'It never came, and nobody answers. '.repeat(at % 5)}`)
  await ana.write(caseId, 'x'.repeat(600))
  await ana.write(caseId, 'متى يصل الطرد؟')
  return caseId
}

test('a case reads well in light and dark, at every width', { tag: '@long' }, async ({
  page,
  programs,
  sandbox,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/)
  const open = await longThread(programs.sandboxUrl, sandbox)
  const refunded = (await sandbox.casesThatAre('RESOLVED')).find((one) => one.resolutionOutcome === 'REFUNDED')
  await signIn(page, ARBITRATOR, '/security')
  for (const [name, caseId, sign] of [
    ['open', open, said(page, 'متى يصل الطرد؟')],
    ['resolved', refunded?.id ?? '', resolution(page)],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`/disputes/${caseId}`)
    await expect(sign).toBeVisible()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    for (const width of name === 'open' || LONG ? WIDTHS : WIDTHS.slice(0, 1)) {
      await page.setViewportSize({ width, height: 900 })
      // Where they stand side by side there are no tabs; elsewhere each part is looked at.
      for (const tab of LONG ? await page.getByRole('tab').all() : []) {
        await tab.click()
        await expectReadableAt(page, width, `${name}, ${await tab.textContent()}`)
      }
      await expectReadableAt(page, width, name)
      const pane = page.getByRole('region', { name: 'Open cases' })
      if (await pane.isVisible()) {
        expect(
          await pane.evaluate((of) => of.scrollWidth - of.clientWidth),
          `the pane at ${width}`,
        ).toBeLessThanOrEqual(0)
      }
    }
  }
  if (!LONG) return
  await page.goto('/disputes/e6f1c3a2-5b7d-4e8f-9a0b-1c2d3e4f5a6b')
  await expect(page.getByText('Not found, or not visible to you')).toBeVisible()
  await expectReadable(page, 'not found')
})
