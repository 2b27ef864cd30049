import { expect, test } from '../support/fixtures.ts'
import { picture, pictureAsItIs } from '../support/picture.ts'
import { ANA } from '../support/sandbox-controls.ts'
import { signIn } from '../support/sign-in.ts'

/** Longer than the pictures of one page take, and shorter than a page waits for the service. */
const SLOW_MS = 8_000

const REFERENCE = '/api/v1/Transaction/{referenceId}'

/** What each page reads of the service. */
const reads = (reference: string, caseId: string) =>
  [
    ['home', '/', '/api/v1/Dispute'],
    ['deposits', `/deposits?reference=${encodeURIComponent(reference)}`, REFERENCE],
    ['transactions', `/transactions/${encodeURIComponent(reference)}`, REFERENCE],
    ['users', `/users/${ANA}`, '/api/v1/Transaction/account/{accountId}'],
    ['users-access', `/users/${ANA}/access`, '/api/v1/Users/{id}/scopes'],
    ['terminals', '/terminals?merchant=merchant-001', '/api/v1/merchant-terminals'],
    ['case', `/disputes/${caseId}`, '/api/v1/Dispute/{caseId}'],
    ['security', '/security', '/api/v1/Security/totp'],
  ] as const

test('pages while the service is slow', async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '250')
  const caseId = await sandbox.raiseCase()
  for (const [name, path, read] of reads(reference, caseId)) {
    await signIn(page, 'admin@example.com', '/transactions')
    await sandbox.fault({ method: 'GET', path: read, times: 50, effect: { delayMs: SLOW_MS } })
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await pictureAsItIs(page, `${name}/slow`)
    await sandbox.clearFaults()
  }
})

test('pages while the service fails', async ({ page, sandbox, expectedErrors }) => {
  expectedErrors.push(/status of 50\d/)
  const reference = await sandbox.announceDeposit('ana@example.com', '250')
  const caseId = await sandbox.raiseCase()
  await signIn(page, 'admin@example.com', '/transactions')
  for (const [name, path, read] of reads(reference, caseId)) {
    await sandbox.fault({ method: 'GET', path: read, times: 200, effect: { status: 500 } })
    await page.goto(path)
    await picture(page, `${name}/failed`)
    await sandbox.clearFaults()
  }
})
