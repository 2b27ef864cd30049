import type { Locator } from '@playwright/test'
import { fillNewCard } from './support/card-tasks.ts'
import { adminPages, casePages, furtherPages, openPages, pages, prepare } from './support/console-pages.ts'
import { expect, test } from './support/fixtures.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { disableButton } from './support/terminal-tasks.ts'
import { watchQuiet } from './support/visits.ts'
import { expectNoFinding } from './support/wcag.ts'
import { openCase } from './support/workbench.ts'

test('axe finds nothing on any page, in both themes and at 200 %', { tag: '@long' }, async ({
  page,
  sandbox,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/)
  const world = await prepare(page, sandbox)
  const look = async (name: string, path: string) => {
    await page.goto(path)
    await watchQuiet(page)()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await expectNoFinding(page, name)
  }
  for (const [name, path] of [...pages, ...furtherPages]) await look(name, path(world))
  await look('an address that is no page', '/nothing-here')
  await page.context().clearCookies()
  await signIn(page, 'arbitrator@example.com', '/')
  for (const [name, path] of casePages) await look(name, path(world))
  // Its stream never ends, so its network is never idle.
  await openCase(page, await sandbox.raiseCase())
  await expectNoFinding(page, 'a case')
  await page.context().clearCookies()
  await signIn(page, 'admin@example.com', '/')
  for (const [name, path] of adminPages) await look(name, path(world))
  await page.context().clearCookies()
  for (const [name, path] of openPages) await look(name, path(world))
})

test('with reduced motion another theme is there at once: no colour is on its way', { tag: '@long' }, async ({
  page,
}) => {
  await signIn(page, 'operator@example.com', '/deposits')
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .map((animation) => ('transitionProperty' in animation ? animation.transitionProperty : ''))
        // A hint that fades in has no colour on its way.
        .filter((property) => property !== 'opacity'),
    )
  for (const theme of ['dark', 'light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    expect(await moving()).toEqual([])
  }
})

/** Dialogs and menus, each opened as a person does, and left by Esc. */
test('axe finds nothing in the dialogs and menus of an operator, in both themes and at 200 %', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const world = await prepare(page, sandbox)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const lookAt = async (what: string, seen: Locator) => {
    await expect(seen).toBeVisible()
    await expectNoFinding(page, what)
    await page.keyboard.press('Escape')
    await expect(seen).toHaveCount(0)
  }
  const dialog = page.getByRole('dialog')
  await page.goto(`/deposits?reference=${encodeURIComponent(world.reference)}`)
  await page.getByLabel('Bank’s reference').fill('ATL-1')
  await page.getByLabel('Amount on the statement').fill('250')
  await button(/^Confirm deposit/).click()
  await lookAt('confirming a deposit', dialog)
  await button('View').click()
  await lookAt('saved views', page.getByRole('region', { name: 'Saved views' }))
  await button('Go to, or paste any reference or id').click()
  await expect(page.getByRole('combobox', { name: 'Go to, or look up' })).toBeFocused()
  await page.keyboard.insertText(world.reference)
  await expect(page.getByRole('option', { name: world.reference })).toBeVisible()
  await lookAt('the omnibox', dialog)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await lookAt('the list of keys', dialog)
  await button(/^Account:/).click()
  await lookAt('the account menu', button('Sign out'))
  await page.goto('/cards/issue')
  await fillNewCard(page, { userId: ANA })
  await button(/^Issue a card/).click()
  await lookAt('issuing a card', dialog)
  await page.goto(`/cards/${world.card}`)
  await page.getByLabel('Last four digits').fill(world.lastFour)
  await page.getByLabel('Reason').fill('Stolen')
  await button(/^Block/).click()
  await lookAt('blocking a card', dialog)
  await page.goto(world.terminal)
  await page.getByLabel('Reason').fill('Lost')
  await disableButton(page).click()
  await lookAt('disabling a terminal', dialog)
  await page.goto(world.statement)
  await button(/^Confirm .*ready/)
    .first()
    .click()
  await lookAt('confirming ready lines', dialog)
})

test('finds no accessibility fault in the dialogs of a case', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await openCase(page, await sandbox.raiseCase())
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expectNoFinding(page, 'what more there is of a case')
  await page.keyboard.press('Escape')
  await page.getByText('Refund the sender', { exact: true }).first().click()
  await page.getByLabel('Reason, shown to both sides').fill('The parcel never left.')
  await page.getByRole('button', { name: 'Refund the sender', exact: true }).click()
  await expect(dialog).toBeVisible()
  await expectNoFinding(page, 'resolving a case')
  await dialog.getByRole('button', { name: /^Refund the sender/ }).click()
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeVisible()
  await expectNoFinding(page, 'the code')
})
