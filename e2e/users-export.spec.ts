import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { Holder } from './support/holder.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'
const HISTORY = '/api/v1/Transaction/account/{accountId}'

const exportButton = (page: Page) => page.getByRole('button', { name: 'Export CSV' })

/** Every file that the page makes. */
function collectDownloads(page: Page): Download[] {
  const downloads: Download[] = []
  page.on('download', (download) => downloads.push(download))
  return downloads
}

test('the history comes as one file: every row once, newest first, text that no spreadsheet runs', async ({
  page,
  programs,
  sandbox: _reset,
}) => {
  const holder = await Holder.register(programs.sandboxUrl)
  const oldest = await holder.deposit(7, '=HYPERLINK("http://elsewhere","open")')
  const second = await holder.deposit(8, 'two\nlines, and a "quote"')
  const references = [...(await holder.deposits(119)), second, oldest]
  await signIn(page, OPERATOR, `/users/${holder.id}`)
  const [download] = await Promise.all([page.waitForEvent('download'), exportButton(page).click()])
  await expect(page.getByText('has 121 rows.')).toBeVisible()
  const lastPart = holder.id.split('-').at(-1)
  expect(download.suggestedFilename()).toMatch(new RegExp(`^history-${lastPart}-\\d{4}-\\d\\d-\\d\\d\\.csv$`))

  const bytes = await readFile(await download.path())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const text = bytes.subarray(3).toString('utf8')
  const lines = text.split('\r\n')
  expect(lines[0]).toBe(
    'Reference,Created (UTC),Settled (UTC),Type,State,Sender,Recipient,Sender pays (BZD),Recipient gets (BZD),Fee (BZD),Note,Failed because',
  )
  expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(references)
  expect(lines[1]).toMatch(/,119\.00000000,119\.00000000,0\.00000000,,$/)
  expect(lines.at(-3)).toContain('"two\nlines, and a ""quote"""')
  expect(lines.at(-2)).toContain(`,"'=HYPERLINK(""http://elsewhere"",""open"")",`)
  expect(lines.at(-1)).toBe('')
})

test('exports in the background, with progress and a cancel button', {
  tag: '@long',
}, async ({ page, programs, sandbox }) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposits(120)
  await signIn(page, OPERATOR, `/users/${holder.id}`)
  const downloads = collectDownloads(page)
  // The first page of the export comes at once, the second is held.
  await sandbox.fault({ method: 'GET', path: HISTORY, effect: { delayMs: 0 } })
  await sandbox.fault({ method: 'GET', path: HISTORY, effect: 'hold' })
  await exportButton(page).click()
  await expect(page.getByText('100 of 120 rows')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Export' })).toHaveAttribute('aria-valuemax', '120')
  await expect(exportButton(page)).toBeDisabled()
  await page.getByRole('link', { name: 'Access' }).click()
  await expect(page.getByRole('heading', { name: 'Scopes' })).toBeVisible()
  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByText('100 of 120 rows')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Export cancelled after 100 rows. No file was made.')).toBeVisible()
  expect(downloads).toEqual([])

  await sandbox.clearFaults()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Export cancelled')).toHaveCount(0)
  await Promise.all([page.waitForEvent('download'), exportButton(page).click()])
  await expect(page.getByText('has 120 rows.')).toBeVisible()
})

test('a failure on the way is told as one, and leaves no file', { tag: '@long' }, async ({
  page,
  programs,
  sandbox,
}) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposits(101)
  await signIn(page, OPERATOR, `/users/${holder.id}`)
  const downloads = collectDownloads(page)
  await sandbox.fault({ method: 'GET', path: HISTORY, effect: { delayMs: 0 } })
  await sandbox.fault({ method: 'GET', path: HISTORY, times: 3, effect: { status: 503 } })
  await exportButton(page).click()
  await expect(page.getByText('Export failed after 100 rows. No file was made.')).toBeVisible()
  await expect(page.getByText('The service could not answer')).toBeVisible()
  expect(downloads).toEqual([])
  await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export again' }).click()])
  await expect(page.getByText('has 101 rows.')).toBeVisible()
})

test('exports unreadable rows as such, and counts them', {
  tag: '@long',
}, async ({ page, programs, sandbox: _reset }) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposits(3)
  await signIn(page, OPERATOR, `/users/${holder.id}`)
  programs.proxy.amend(`/api/v1/Transaction/account/${holder.id}`, (body) => body.replace('"debit"', '"debt"'))
  const [download] = await Promise.all([page.waitForEvent('download'), exportButton(page).click()])
  await expect(page.getByText('has 3 rows. 1 row could not be read')).toBeVisible()
  expect(await readFile(await download.path(), 'utf8')).toContain('\r\n(row 1 of the history could not be read),')
})

test('an export is given to this console’s own pages only, for an id that is one, while signed in', async ({
  page,
  context,
  programs,
  sandbox: _reset,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 40[013]/)
  const holder = await Holder.register(programs.sandboxUrl)
  const address = `/api/export/history?account=${holder.id}`
  await signIn(page, OPERATOR)
  const ask = (path: string, headers: Record<string, string>) =>
    page.evaluate(async ([to, sent]) => (await fetch(to, { headers: sent })).status, [path, headers] as const)
  expect(await ask(address, {})).toBe(403)
  expect(await ask('/api/export/history?account=..', { 'x-console': '1' })).toBe(400)
  expect(await ask(address, { 'x-console': '1' })).toBe(200)
  await context.clearCookies()
  await page.goto('/sign-in')
  expect(await ask(address, { 'x-console': '1' })).toBe(401)
})

test('exports what a filter matches in the whole history', {
  tag: '@long',
}, async ({ page, programs, sandbox: _reset }) => {
  const holder = await Holder.register(programs.sandboxUrl)
  await holder.deposits(21)
  await signIn(page, OPERATOR, `/users/${holder.id}?state=FAIL`)
  await Promise.all([page.waitForEvent('download'), exportButton(page).click()])
  await expect(page.getByText('has 0 rows matching the filter, of 21 read.')).toBeVisible()
  await page.goto(`/users/${holder.id}?state=QUEUED`)
  const [download] = await Promise.all([page.waitForEvent('download'), exportButton(page).click()])
  await expect(page.getByText('has 21 rows matching the filter, of 21 read.')).toBeVisible()
  expect(download.suggestedFilename()).toContain('-filtered-')

  await page.goto(`/activity?kind=export.history&text=${holder.id}`)
  await expect(page.getByRole('row').filter({ hasText: 'Exported the history of a user' })).toHaveCount(2)
  await page.getByRole('link', { name: 'Exported the history of a user' }).first().click()
  await expect(page.getByText('state QUEUED', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Open the user' }).click()
  await expect(page).toHaveURL(`/users/${holder.id}?state=QUEUED`)
})
