import type { Page } from '@playwright/test'
import { confirm, issueCard } from './support/card-tasks.ts'
import { openCaseStream } from './support/case-stream.ts'
import { change, workspaceOf } from './support/case-workspace.ts'
import { confirmDeposit } from './support/deposit-tasks.ts'
import { expect, test } from './support/fixtures.ts'
import { CANARY } from './support/open-fields.ts'
import { outcome } from './support/outcome.ts'
import { Phone } from './support/phone.ts'
import { collectReceived, type Received, readablePlaces } from './support/received.ts'
import { routes } from './support/routes.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { takeStatement } from './support/statement-tasks.ts'
import { disableButton, openMerchant, openTerminal, registerButton, uid } from './support/terminal-tasks.ts'
import { ARBITRATOR, composer, onTheWay, openCase, resolution, said, send } from './support/workbench.ts'

const OPERATOR = 'operator@example.com'

// The service is open: every answer and every event carries fields that the interface does not give.
test.beforeEach(({ programs, sandbox: _seeded }) => programs.proxy.addUnknownFields(true))
test.afterEach(({ programs }) => programs.proxy.addUnknownFields(false))

const GOT_THROUGH = new RegExp(`${CANARY}|zz(Text|Number|Huge|True|Null|List|Object)`)

const leaks = (received: readonly Received[]): readonly string[] =>
  received.flatMap(({ what, text }) => (GOT_THROUGH.test(text) ? [what] : []))

/** Every page as a payload and as a document: none fails, and nothing unknown stands in it. */
async function walk(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    const payload = await page.request.get(address, { headers: { rsc: '1' } })
    expect(payload.status(), address).toBe(200)
    expect(leaks([{ what: address, text: await payload.text() }])).toEqual([])
    const document = await page.goto(address)
    expect(document?.status(), address).toBe(200)
    await expect(page.locator('[aria-busy="true"]'), address).toHaveCount(0)
    expect(leaks(await readablePlaces(page)), address).toEqual([])
  }
}

interface World {
  readonly reference: string
  readonly card: string
  readonly terminal: string
  readonly statement: string
  readonly caseId: string
  readonly command: string
}

/** Every page of the console by its file, with something on it. */
const pages: Readonly<Record<string, (world: World) => readonly string[]>> = {
  'page.tsx': () => ['/'],
  'activity/page.tsx': () => ['/activity', '/activity?outcome=open'],
  'activity/[id]/page.tsx': ({ command }) => [command],
  'approvals/page.tsx': () => ['/approvals', '/approvals?view=requested', '/approvals?view=decided'],
  'approvals/[id]/page.tsx': ({ command }) => [command.replace('/activity/', '/approvals/')],
  'cards/page.tsx': () => ['/cards'],
  'cards/[cardId]/page.tsx': ({ card }) => [`/cards/${card}`, '/cards/00000000-0000-4000-8000-0000000000ff'],
  'cards/issue/page.tsx': ({ card }) => ['/cards/issue', `/cards/issue?replaces=${card}`],
  'deposits/page.tsx': ({ reference }) => [
    `/deposits?${new URLSearchParams({ reference })}`,
    '/deposits?reference=none',
  ],
  'deposits/report/page.tsx': () => ['/deposits/report'],
  'deposits/statements/page.tsx': () => ['/deposits/statements', '/deposits/statements?show=all'],
  'deposits/statements/[id]/page.tsx': ({ statement }) => [statement],
  'disputes/page.tsx': () => ['/disputes', '/disputes?status=all', '/disputes?status=resolved'],
  'disputes/(with-queue)/[caseId]/page.tsx': ({ caseId }) => [`/disputes/${caseId}`],
  'disputes/categories/page.tsx': () => ['/disputes/categories'],
  'disputes/snippets/page.tsx': () => ['/disputes/snippets'],
  'security/page.tsx': () => ['/security'],
  'security/policy/page.tsx': () => ['/security/policy'],
  'security/policy/rehearsal/page.tsx': () => ['/security/policy/rehearsal'],
  'security/sessions/page.tsx': () => ['/security/sessions', '/security/sessions?find=operator'],
  'terminals/page.tsx': () => ['/terminals', '/terminals?merchant=merchant-001'],
  'terminals/[terminalId]/page.tsx': ({ terminal }) => [terminal],
  'transactions/page.tsx': () => ['/transactions'],
  'transactions/[referenceId]/page.tsx': ({ reference }) => [`/transactions/${encodeURIComponent(reference)}`],
  'users/page.tsx': () => ['/users'],
  'users/[id]/page.tsx': () => [`/users/${ANA}`],
  'users/[id]/access/page.tsx': () => [`/users/${ANA}/access`],
  'users/[id]/cards/page.tsx': () => [`/users/${ANA}/cards`],
}

test('every page is walked', () => {
  const files = routes.map(({ file }) => file).filter((file) => /^app\/\(console\)\/.*page\.tsx$/.test(file))
  expect(Object.keys(pages).sort()).toEqual(files.map((file) => file.replace('app/(console)/', '')).sort())
})

const pathOf = (page: Page): string => new URL(page.url()).pathname

test('an operator’s changes and pages: none fails, and no unknown field reaches the browser', { tag: '@long' }, async ({
  page,
  sandbox,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/)
  const received = collectReceived(page)
  const [confirmed, waiting] = [
    await sandbox.announceDeposit('ana@example.com', '250.00'),
    await sandbox.announceDeposit('ana@example.com', '80.00'),
  ]
  const caseId = await sandbox.raiseCase()
  await signIn(page, OPERATOR)

  await confirmDeposit(page, confirmed, '250.00')
  const { id: card, last4 } = await issueCard(page, { userId: ANA })
  await page.goto(`/cards/${card}`)
  await page.getByLabel('Last four digits').fill(last4)
  await page.getByLabel('Reason').fill('Stolen, reported by the holder')
  await page.getByRole('button', { name: /^Block/ }).click()
  await confirm(page, /^Block/)
  await expect(outcome(page, 'Done')).toContainText('Blocked')

  await openMerchant(page, 'merchant-001')
  await uid(page).fill('PAX-OPEN-1')
  await registerButton(page).click()
  await expect(outcome(page, 'Done')).toBeVisible()
  await openTerminal(page, 'PAX-OPEN-1')
  const terminal = pathOf(page)
  await page.getByLabel('Reason').fill('Lost')
  await disableButton(page).click()
  await page.getByLabel('Type the UID of this terminal: PAX-OPEN-1').fill('PAX-OPEN-1')
  await confirm(page, /^Disable terminal/)
  await expect(outcome(page, 'Done')).toBeVisible()

  await takeStatement(page, [{ reference: waiting, amount: '80.00' }])
  await expect(page.getByRole('link', { name: 'Ready 1', exact: true })).toBeVisible()
  const statement = pathOf(page)

  await page.goto(`/users/${ANA}`)
  await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()])
  await page.goto('/')
  const command = (await page.locator('a[href^="/activity/"]').first().getAttribute('href')) ?? ''
  const world = { reference: confirmed, card, terminal, statement, caseId, command }
  await walk(
    page,
    Object.values(pages).flatMap((addresses) => addresses(world)),
  )
  const answers = await received()
  expect(answers.length).toBeGreaterThan(100)
  expect(leaks(answers)).toEqual([])
})

test('an arbitrator’s changes, the thread live, and its events: the same', { tag: '@long' }, async ({
  page,
  sandbox,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/)
  const received = collectReceived(page)
  const caseId = await sandbox.raiseCase()
  await openCase(page, caseId)
  const stream = await openCaseStream(page, caseId)
  await page.getByRole('button', { name: 'Assign to me', exact: true }).click()
  await composer(page).fill('Which day was it?')
  await send(page).click()
  await expect(said(page, 'Which day was it?')).toHaveCount(1)
  await expect(onTheWay(page)).toHaveCount(0)
  await sandbox.postMessage(caseId, 'ana@example.com', 'It was a Friday.')
  await expect(said(page, 'It was a Friday.')).toBeVisible()
  expect(await change(page, 'case.note', { caseId, text: 'Agreed by phone.' })).toMatchObject({ class: 'done' })
  const workspace = await workspaceOf(page, caseId)
  expect(workspace.notes).toHaveLength(1)

  await page.getByText('Refund the sender', { exact: true }).first().click()
  await page.getByLabel('Reason, shown to both sides').fill('Nothing was sent that week.')
  await page.getByRole('button', { name: 'Refund the sender', exact: true }).click()
  await confirm(page, /^Refund the sender/)
  await page.getByRole('textbox', { name: 'Code' }).fill(await sandbox.shownCode(ARBITRATOR))
  await page.keyboard.press('Enter')
  await expect(resolution(page)).toContainText('Nothing was sent that week.')
  await expect.poll(async () => (await stream.bodies()).includes('It was a Friday.')).toBe(true)
  expect(leaks([{ what: 'events', text: JSON.stringify(await stream.events()) }])).toEqual([])
  expect(leaks([{ what: 'workspace', text: JSON.stringify(workspace) }])).toEqual([])

  await walk(page, ['/', '/disputes', '/disputes?status=resolved', `/disputes/${caseId}`, '/security'])
  expect(leaks(await received())).toEqual([])
})

test('setting up a second factor: the same', { tag: '@long' }, async ({ page }) => {
  const received = collectReceived(page)
  await signIn(page, 'newcomer@example.com', '/security')
  await page.getByRole('button', { name: 'Set up two-factor security' }).click()
  await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible()
  const phone = new Phone(await page.getByRole('button', { name: 'copy the secret' }).textContent())
  await page.getByLabel('Code').fill(phone.code())
  await expect(outcome(page, 'Done')).toContainText('Two-factor security turned on')
  await walk(page, ['/security'])
  expect(leaks(await received())).toEqual([])
})
