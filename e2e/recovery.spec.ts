import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { CONSOLE_AWAY, expect, expectAccessible, test } from './support/fixtures.ts'
import type { SandboxControls } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const READ = '/api/v1/Transaction/{referenceId}'

/** Confirms a deposit, up to the moment in which the service has the request and does not answer yet. */
async function startConfirming(page: Page, sandbox: SandboxControls): Promise<string> {
  const reference = await sandbox.announceDeposit('ana@example.com', '40')
  await signIn(page, 'operator@example.com', `/deposits?reference=${encodeURIComponent(reference)}`)
  await sandbox.fault({ method: 'POST', path: CONFIRM, effect: 'hold' })
  await page.getByLabel('Bank’s reference').fill(reference)
  await page.getByLabel('Amount on the statement').fill('40')
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Confirm deposit/ }).click()
  await expect.poll(() => sandbox.heldRequests()).toBe(1)
  return reference
}

test.describe('with a console of its own', () => {
  test('a console killed in the middle of a change shows it under needs attention, and finds out by reading', {
    tag: '@long',
  }, async ({ page, sandbox, programs, expectedErrors }) => {
    expectedErrors.push(CONSOLE_AWAY)
    const before = await sandbox.arrived('POST', CONFIRM)
    await startConfirming(page, sandbox)
    await programs.console.stop('SIGKILL')
    await sandbox.clearFaults()
    // It cannot be read either at first, so that it stays open for a while.
    await sandbox.fault({
      method: 'GET',
      path: READ,
      times: 60,
      effect: { status: 503, code: 'core::out', title: 'Out' },
    })
    await programs.console.start()
    await page.goto('/')
    const work = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Work' }) })
    await expect(work.getByRole('link', { name: 'Confirm deposit of 40.00 BZD' })).toBeVisible()
    await expectAccessible(page)
    await sandbox.clearFaults()
    await work.getByRole('link', { name: 'Confirm deposit of 40.00 BZD' }).click()
    await expect(page.getByText('the process that sent it ended')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
    await expect(page.getByText('Found done')).toBeVisible()
    expect(await sandbox.arrived('POST', CONFIRM)).toBe(before + 1)
    const { pathname } = new URL(page.url())
    await page.goto('/')
    await expect(page.locator(`a[href="${pathname}"]`).first()).toBeVisible()
    await expect(work.locator(`a[href="${pathname}"]`)).toHaveCount(0)
  })

  test('a console told to stop in the middle of a change ends it, writes it down, and exits cleanly', {
    tag: '@long',
  }, async ({ page, context, sandbox, programs, expectedErrors }) => {
    expectedErrors.push(CONSOLE_AWAY)
    const before = await sandbox.arrived('POST', CONFIRM)
    const reference = await startConfirming(page, sandbox)
    const printed = programs.console.printed.length
    const stopped = programs.console.stop('SIGTERM')
    await expect
      .poll(() =>
        fetch(`${programs.consoleUrl}/api/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(false)
    await sandbox.clearFaults()
    expect(await stopped).toBe(0)
    expect(programs.console.printed.slice(printed)).toMatch(/"event":"journal-end","size":\d+/)
    expect(await sandbox.arrived('POST', CONFIRM)).toBe(before + 1)
    await programs.console.start()
    // The first page asks again by itself, and loads anew where the console was not ready: it is left alone.
    const later = await context.newPage()
    await later.goto(`/deposits?reference=${encodeURIComponent(reference)}`)
    await expect(later.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
  })
})

test('an embedded store whose folder is gone makes the console not ready', async ({ programs }) => {
  const ready = () => fetch(`${programs.consoleUrl}/api/ready`)
  expect((await ready()).status).toBe(200)
  const [store, away] = [join(programs.folder, 'console'), join(programs.folder, 'away')]
  renameSync(store, away)
  const answer = await ready()
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { status: 'not ready', reason: 'The store does not answer.' },
  ])
  renameSync(away, store)
  expect((await ready()).status).toBe(200)
})
