import type { Page } from '@playwright/test'
import { confirmDeposit } from './support/deposit-tasks.ts'
import { expect, test } from './support/fixtures.ts'
import { outcome } from './support/outcome.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'
const CONFIRM = '/api/v1/Transaction/deposit/confirm'

/** Whether React has taken over each control that the server sent. */
const isHydrated = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll('a, button, input')].every((control) =>
      Object.keys(control).some((name) => name.startsWith('__react')),
    ),
  )

/** Rewrites the page as the translators of browsers do: every text moves into two new elements. */
async function translate(page: Page): Promise<void> {
  await expect.poll(() => isHydrated(page)).toBe(true)
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      if (text.data.trim() === '' || text.parentElement?.closest('script, style') != null) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      text.replaceWith(outer)
      outer.append(inner)
      inner.append(text)
    }
  })
}

test('tells browsers not to translate any page', { tag: '@long' }, async ({ page }) => {
  const expectUntranslated = async (path: string) => {
    await page.goto(path)
    await expect(page.locator('html'), path).toHaveAttribute('translate', 'no')
    await expect(page.locator('meta[name="google"]'), path).toHaveAttribute('content', 'notranslate')
  }
  for (const path of ['/sign-in', '/signed-out']) await expectUntranslated(path)
  await signIn(page, OPERATOR)
  for (const path of ['/', '/deposits']) await expectUntranslated(path)
})

test('shows the outcome when the open dialog was translated', { tag: '@long' }, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '41')
  await signIn(page, OPERATOR, `/deposits?reference=${encodeURIComponent(reference)}`)
  await page.getByLabel('Bank’s reference').fill('ATL-TRANSLATED')
  await page.getByLabel('Amount on the statement').fill('41')
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await translate(page)
  await dialog.getByRole('button', { name: /^Confirm deposit/ }).click()
  await expect(outcome(page, 'Done')).toBeVisible()
  expect(await sandbox.arrived('POST', CONFIRM)).toBeGreaterThan(0)
})

test('keeps the form when a translated amount is corrected', { tag: '@long' }, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '21')
  await signIn(page, OPERATOR, `/deposits?reference=${encodeURIComponent(reference)}`)
  const amount = page.getByLabel('Amount on the statement')
  await amount.fill('22')
  await translate(page)
  await amount.fill('21')
  await expect(page.getByText('Same amount')).toBeVisible()
})

for (const [hours, amount] of [
  [-3, '43'],
  [3, '44'],
] as const) {
  test.describe(`with a clock ${hours} hours off`, () => {
    test.beforeEach(async ({ page }) => {
      await page.addInitScript((offsetMs) => {
        const RealDate = Date
        globalThis.Date = new Proxy(RealDate, {
          construct: (target, given: [], made) =>
            Reflect.construct(target, given.length === 0 ? [RealDate.now() + offsetMs] : given, made),
          get: (target, name) => (name === 'now' ? () => RealDate.now() + offsetMs : Reflect.get(target, name, target)),
        })
      }, hours * 3_600_000)
    })

    test('counts times from the server’s clock', { tag: '@long' }, async ({ page, sandbox }) => {
      const reference = await sandbox.announceDeposit('ana@example.com', amount)
      await signIn(page, OPERATOR)
      await confirmDeposit(page, reference, amount)
      await page.goto('/')
      const work = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Work' }) })
      await expect(
        work
          .getByRole('listitem')
          .filter({ hasText: `${amount}.00` })
          .locator('time')
          .first(),
      ).toHaveText('in 23 h')
      await page.goto('/activity')
      const row = page.getByRole('row').filter({ hasText: `Confirm deposit of ${amount}.00 BZD` })
      await expect(row.locator('time')).toHaveText(/^(now|\d+ (s|min) ago)$/)
    })
  })
}
