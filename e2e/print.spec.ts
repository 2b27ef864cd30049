import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { historyRows } from './support/history.ts'
import { Holder } from './support/holder.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { range } from './support/table.ts'
import { bodiesShown, boxOf, composer, connection, openCase, said, thread } from './support/workbench.ts'

const pagesIn = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0

/** Boxes that hide or scroll content on paper. Ids in later columns of a table are short. */
const cutOff = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main, main *')]
      .filter((box) => box.checkVisibility() && !box.matches('.sr-only, [popover], td + td [data-tail] > span'))
      .filter((box) => {
        const { overflowX, overflowY } = getComputedStyle(box)
        const isWider = overflowX !== 'visible' && box.scrollWidth > box.clientWidth + 1
        return isWider || (overflowY !== 'visible' && box.scrollHeight > box.clientHeight + 1)
      })
      .map(({ tagName, className }) => `${tagName} ${className}`),
  )

test('prints a case whole, without controls and queue', { tag: '@long' }, async ({ page, programs, sandbox }) => {
  const holder = await Holder.signIn(programs.sandboxUrl, 'ana@example.com', ANA)
  const caseId = await sandbox.raiseCase()
  for (let at = 1; at <= 25; at += 1) await holder.write(caseId, `Message ${at} of 25.`)
  await openCase(page, caseId)
  await expect(said(page, 'Message 25 of 25.')).toBeVisible()
  await connection(page, 'Live')
  await page.emulateMedia({ media: 'print' })
  const queue = page.getByRole('region', { name: 'Open cases' })
  for (const part of [queue, composer(page), page.getByRole('navigation', { name: 'Areas' }).first()]) {
    await expect(part).toBeHidden()
  }
  await expect(page.getByRole('heading', { level: 1 })).toContainText(caseId.slice(0, 8))
  await expect(page.getByText('Sender pays', { exact: true }).last()).toBeVisible()
  await expect(thread(page)).toBeVisible()
  expect((await bodiesShown(page)).filter((text) => text.endsWith('of 25.'))).toHaveLength(25)
  expect(await cutOff(page)).toEqual([])
  const last = await boxOf(said(page, 'Message 25 of 25.'))
  const facts = await boxOf(page.getByText('Sender pays', { exact: true }).last())
  expect(facts.y).toBeGreaterThan(last.y + last.height)
  expect(pagesIn(await page.pdf())).toBeGreaterThan(1)
})

test('prints a history with its filter and time', { tag: '@long' }, async ({ page, programs, sandbox: _reset }) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposits(45)
  await signIn(page, 'operator@example.com', `/users/${holder.id}?state=QUEUED&size=50`)
  await expect(range(page, '45 matches')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(historyRows(page)).toHaveCount(45)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('QUEUED')
  const printedAt = () =>
    page.evaluate(() => {
      dispatchEvent(new Event('beforeprint'))
      return document.documentElement.style.getPropertyValue('--printed')
    })
  // The page sets it once it is hydrated.
  await expect.poll(printedAt).toMatch(/^"Printed .*\d{2}:\d{2}/)
  expect(await cutOff(page)).toEqual([])
  expect(pagesIn(await page.pdf())).toBeGreaterThan(1)
})

test('marks what is current in forced colours', { tag: '@long' }, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  await page.emulateMedia({ forcedColors: 'active' })
  const outlined = await page
    .locator('[aria-current]:not([aria-current="false"]), [aria-pressed="true"], [aria-selected="true"]')
    .evaluateAll((marked) =>
      marked.filter((one) => one.checkVisibility()).map((one) => getComputedStyle(one).outlineStyle),
    )
  expect(outlined.length).toBeGreaterThan(1)
  expect(new Set(outlined)).toEqual(new Set(['solid']))
})
