import { expect, test } from './support/fixtures.ts'
import { queueTable, rowOfCase, shownCases } from './support/queue.ts'
import { signIn } from './support/sign-in.ts'
import { alive, range } from './support/table.ts'

const ARBITRATOR = 'arbitrator@example.com'
const LIST = '/api/v1/Dispute'

test('a failure fills the body and never looks like an empty queue', { tag: '@long' }, async ({ page, sandbox }) => {
  await signIn(page, ARBITRATOR, '/security')
  await sandbox.fault({ method: 'GET', path: LIST, times: 50, effect: { status: 503 } })
  await page.goto('/')
  await expect(page.getByText('The number and age of open cases is not known')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Disputes The number of open cases is not known.' })).toBeVisible()
  await page.goto('/disputes')
  await expect(page.getByRole('main').getByText('The service could not answer')).toBeVisible()
  await expect(page.getByText(/No open cases/)).toHaveCount(0)
  await sandbox.clearFaults()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(range(page, '1–20 of 30')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Disputes 30 open' })).toBeVisible()
})

test('payments that cannot be read are told in their places; the queue stands', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  await sandbox.fault({
    method: 'GET',
    path: '/api/v1/Transaction/{referenceId}',
    times: 200,
    effect: { status: 404 },
  })
  await signIn(page, ARBITRATOR, '/disputes')
  await expect(queueTable(page).getByRole('button', { name: 'Not visible' })).toHaveCount(20)
  await expect(page.getByText(/^Complete as of .*, 30 cases$/)).toBeVisible()
})

test('whoever is no admin is not told that the queue is empty', { tag: '@long' }, async ({ page, sandbox: _reset }) => {
  await signIn(page, 'viewer@example.com', '/disputes')
  await expect(page.getByText('No open cases visible to you')).toBeVisible()
  await expect(queueTable(page).locator('xpath=..').getByText('Admin view is not confirmed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Assign the next case to me' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /Disputes \d+ open/ })).toHaveCount(0)
})

test('without the scope the page names it', { tag: '@long' }, async ({ page, sandbox }) => {
  await signIn(page, ARBITRATOR, '/security')
  await sandbox.fault({ method: 'GET', path: LIST, effect: { status: 403 } })
  await page.goto('/disputes')
  await expect(page.getByText('You are not permitted to do this', { exact: true })).toBeVisible()
  await expect(page.getByText('It needs the scope core:disputes:read.')).toBeVisible()
})

test('no case is assigned by a page that could not show what came of it', { tag: '@long' }, async ({
  page,
  sandbox: _reset,
  expectedErrors,
}) => {
  expectedErrors.push(/net::ERR_FAILED/)
  await signIn(page, ARBITRATOR, '/disputes?claim=unassigned')
  await alive(page)
  const [oldest = ''] = await shownCases(page)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.route('**/_next/static/chunks/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Assign the next case to me' }).click()
  await expect(page.getByText('This page did not load fully, so no case was assigned.')).toBeVisible()
  await page.unroute('**/_next/static/chunks/**')
  await page.goto('/disputes?claim=unassigned')
  await expect(rowOfCase(page, oldest)).toBeVisible()
  expect(requests).not.toContain('/api/disputes/next')
  expect(requests).not.toContain('/api/commands')
})
