import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { button } from './support/hands.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { watchQuiet } from './support/visits.ts'

/** The main field of a page, and its button; none where Enter in the field is enough. */
const mainFields = (
  reference: string,
  card: string,
  terminal: string,
): (readonly [string, string | RegExp, string | RegExp | null])[] => [
  ['/deposits', 'Reference', 'Look up'],
  [`/deposits?reference=${encodeURIComponent(reference)}`, 'Bank’s reference', /^Confirm deposit/],
  ['/transactions', 'Reference', 'Look up'],
  ['/users', 'User id', 'Look up'],
  ['/cards', 'Search cards', 'Search'],
  ['/cards/issue', 'Holder’s user id', /^Issue a card/],
  [`/cards/${card}`, 'Last four digits', /^Block/],
  ['/terminals', 'Merchant', 'Look up'],
  [terminal, 'Reason', /^Disable/],
  ['/activity', 'Person', 'Show'],
  [`/users/${ANA}`, 'State', 'Show'],
  ['/deposits/statements', 'Choose a statement', null],
  ['/security', 'Set up two-factor security', null],
  ['/sign-in', 'E-mail', 'Sign in with a password'],
]

async function expectFewTabs(page: Page, path: string, label: string | RegExp, name: string | RegExp | null) {
  await page.goto(path)
  const field = page
    .getByRole('textbox', { name: label, exact: true })
    .or(page.getByRole('combobox', { name: label, exact: true }))
    .or(page.getByRole('button', { name: label, exact: true }))
  await expect(field).toBeEnabled()
  await watchQuiet(page)()
  const focused = () => field.evaluate((element) => element === document.activeElement)
  // Where it has no focus from the start: by the link that skips the frame, which is the first stop.
  let tabs = 0
  if (!(await focused()) && path !== '/sign-in') {
    tabs += 1
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
  }
  for (; !(await focused()) && tabs <= 6; tabs += 1) await page.keyboard.press('Tab')
  expect(tabs, `${path}: ${label}`).toBeLessThanOrEqual(6)
  if (name === null) return
  const main = button(page, name).first()
  let more = 0
  for (; !(await main.evaluate((element) => element === document.activeElement)) && more <= 3; more += 1) {
    await page.keyboard.press('Tab')
  }
  expect(more, `${path}: ${String(name)}`).toBeLessThanOrEqual(3)
}

test('six Tabs at most lead to the main field of a page, and three more to its button', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '250')
  const { id } = await sandbox.issueElsewhere(ANA)
  await signIn(page, 'operator@example.com', '/terminals?merchant=merchant-001')
  const terminal = await page
    .getByRole('row')
    .filter({ hasText: 'PAX-A920-0001' })
    .getByRole('link')
    .first()
    .getAttribute('href')
  for (const [path, label, name] of mainFields(reference, id, terminal ?? '')) {
    if (path === '/sign-in') await page.context().clearCookies()
    await expectFewTabs(page, path, label, name)
  }
})

test('in the queue, six Tabs at most lead to its main button and to the field of a reason', { tag: '@long' }, async ({
  page,
  sandbox: _reset,
}) => {
  await signIn(page, 'arbitrator@example.com', '/security')
  await expectFewTabs(page, '/disputes', 'Assign the next case to me', null)
  await expectFewTabs(page, '/disputes', 'Reason', null)
})
