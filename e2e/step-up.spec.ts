import type { Page } from '@playwright/test'
import { drafted, outcomeIn, send } from './security/approving.ts'
import { HANDLE, signedInAt, signInAs } from './security/http.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { expectOutcome, outcome } from './support/outcome.ts'
import { Phone, wrongCode } from './support/phone.ts'
import { handleOf } from './support/received.ts'
import { ADMIN, type SandboxControls } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { takeStatement } from './support/statement-tasks.ts'

const CONFIRM = '/api/v1/Transaction/deposit/confirm'
const VERIFY = '/api/v1/Security/totp/verify'
const ADMIN_MAIL = 'admin@example.com'

/** Looks a deposit up and confirms it, as far as the console lets it go by itself. */
async function confirmDeposit(page: Page, reference: string, amount: string): Promise<void> {
  await page.goto(`/deposits?reference=${encodeURIComponent(reference)}`)
  await page.getByLabel('Bank’s reference').fill(`ATL-${reference}`)
  await page.getByLabel('Amount on the statement').fill(amount)
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Confirm deposit/ })
  await dialog.getByRole('button', { name: /^Confirm deposit/ }).click()
}

const prompt = (page: Page) => page.getByRole('dialog', { name: 'A code from your authenticator is needed' })
const code = (page: Page) => prompt(page).getByLabel('Code')

/** How much has arrived since the test began. */
async function counter(sandbox: SandboxControls): Promise<() => Promise<{ codes: number; confirmations: number }>> {
  const count = async () => ({
    codes: await sandbox.arrived('POST', VERIFY),
    confirmations: await sandbox.arrived('POST', CONFIRM),
  })
  const before = await count()
  return async () => {
    const now = await count()
    return { codes: now.codes - before.codes, confirmations: now.confirmations - before.confirmations }
  }
}

test('asks for a code once, before anything is sent', { tag: '@long' }, async ({ page, context, sandbox }) => {
  const [first, second] = [
    await sandbox.announceDeposit('ana@example.com', '61'),
    await sandbox.announceDeposit('ana@example.com', '62'),
  ]
  const arrived = await counter(sandbox)
  const sessions = page.getByRole('main').getByRole('listitem')
  await signIn(page, ADMIN_MAIL, '/security')
  const before = { handle: await handleOf(context), sessions: await sessions.count() }
  expect(before.sessions).toBeGreaterThan(0)
  await confirmDeposit(page, first, '61')
  await expect(code(page)).toBeFocused()
  await expect(prompt(page)).toContainText('Confirm deposit of 61.00 BZD')
  await expectAccessible(page)
  expect(await arrived()).toEqual({ codes: 0, confirmations: 0 })
  await expect(page.getByText(/^Verified until/)).toHaveCount(0)

  const shown = await sandbox.shownCode(ADMIN_MAIL)
  // As some phones copy it. How many digits its codes have, nobody told: Enter sends it, and nothing else does.
  await code(page).fill(`${shown.slice(0, 3)} ${shown.slice(3)}`)
  expect(await arrived()).toEqual({ codes: 0, confirmations: 0 })
  await code(page).press('Enter')
  await expect(outcome(page, 'Done')).toBeVisible()
  await expect(page.getByText(/^Verified until \d\d:\d\d$/)).toBeVisible()
  expect(await arrived()).toEqual({ codes: 1, confirmations: 1 })
  expect(await handleOf(context)).not.toBe(before.handle)

  await page.reload()
  await expect(page.getByText(/^Verified until \d\d:\d\d$/)).toBeVisible()
  await confirmDeposit(page, second, '62')
  await expect(outcome(page, 'Done')).toContainText('62.00')
  expect(await arrived()).toEqual({ codes: 1, confirmations: 2 })
  // The new handle is of the same session.
  await page.goto('/security')
  await expect(sessions).toHaveCount(before.sessions)
})

test('sends nothing for a stolen cookie after its owner verified', { tag: '@long' }, async ({
  playwright,
  programs,
  sandbox,
}) => {
  const { consoleUrl } = programs
  const other = await programs.anotherConsole('of the thief', (at) => ({ NEXTAUTH_URL: at }))
  const owner = await signInAs(playwright.request, consoleUrl, ADMIN_MAIL)
  const thieves = [consoleUrl, other.url].map((url) => signedInAt(url, owner.handle))
  const wanted = await drafted(owner, sandbox, '81')
  const stolen = await Promise.all(thieves.map((thief) => drafted(thief, sandbox, '82')))
  let isVerified = false
  const repeating = thieves.map(async (thief) => {
    const outcomes: string[] = []
    for (let after = 0; after < 20; after += isVerified ? 1 : 0) {
      outcomes.push(...(await Promise.all(stolen.map((change) => send(thief, change)))).map(outcomeIn))
    }
    return outcomes
  })
  const code = await sandbox.shownCode(ADMIN_MAIL)
  const answer = await owner.send('POST', `/api/commands/${wanted.id}`, { code })
  isVerified = true
  expect(outcomeIn(answer)).toBe('done')
  const outcomes = (await Promise.all(repeating)).flat()
  expect(outcomes.filter((outcome) => outcome !== 'step-up' && outcome !== '')).toEqual([])
  for (const { reference } of stolen) expect(await sandbox.stateOf(reference)).toBe('QUEUED')

  const handle = new RegExp(`^${HANDLE}=([^;]+)`).exec(answer.setCookies.join('\n'))?.[1] ?? ''
  expect(outcomeIn(await send(signedInAt(consoleUrl, handle), stolen[0]!))).toBe('done')
})

test('keeps a person signed in who leaves while a verified change is sent', { tag: '@long' }, async ({
  page,
  programs,
  sandbox,
}) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '83')
  await signIn(page, ADMIN_MAIL)
  await confirmDeposit(page, reference, '83')
  await expect(code(page)).toBeFocused()
  const release = programs.proxy.hold(CONFIRM)
  const begun = page.waitForResponse((response) => /\/api\/commands\/[^/]+$/.test(response.url()))
  await code(page).fill(await sandbox.shownCode(ADMIN_MAIL))
  await page.keyboard.press('Enter')
  await begun
  expect(await sandbox.stateOf(reference)).toBe('QUEUED')
  await page.goto('/activity')
  await expect(page.getByText(/^Verified until \d\d:\d\d$/)).toBeVisible()
  release()
  await expect.poll(() => sandbox.stateOf(reference)).toBe('PROCESSING')
})

test('lets the browser of a replaced handle read, and sign in again', { tag: '@long' }, async ({
  playwright,
  programs,
  sandbox,
}) => {
  const { consoleUrl } = programs
  const owner = await signInAs(playwright.request, consoleUrl, ADMIN_MAIL)
  const waiting = await drafted(owner, sandbox, '84')
  const code = await sandbox.code(ADMIN)
  expect(outcomeIn(await owner.send('POST', `/api/commands/${waiting.id}`, { code }))).toBe('done')
  // The cookie of that answer is lost: the owner goes on with the old one.
  expect(outcomeIn(await owner.get(`/api/commands/${waiting.id}`))).toBe('done')
  expect((await owner.get('/activity')).status).toBe(200)
  for (const [method, path] of [
    ['POST', '/api/commands'],
    ['DELETE', `/api/commands/${waiting.id}`],
    ['POST', '/api/session/activity'],
    ['POST', '/api/session/sign-out'],
  ] as const) {
    expect((await owner.send(method, path, {})).status, path).toBe(401)
  }
  const signIn = await owner.get('/sign-in')
  expect([signIn.status, signIn.text.includes('password')]).toEqual([200, true])
})

test('rejected codes: three end the change, and too many lock, with a countdown', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const [first, second] = [
    await sandbox.announceDeposit('ana@example.com', '63'),
    await sandbox.announceDeposit('ana@example.com', '64'),
  ]
  const arrived = await counter(sandbox)
  await signIn(page, ADMIN_MAIL)
  const wrong = wrongCode(await sandbox.shownCode(ADMIN_MAIL), await sandbox.code(ADMIN))
  await confirmDeposit(page, first, '63')
  for (const left of ['Two tries left', 'One try left']) {
    await code(page).fill(wrong)
    await page.keyboard.press('Enter')
    await expect(prompt(page)).toContainText(left)
    await expect(code(page)).toBeFocused()
    await expect(code(page)).toHaveValue('')
  }
  await code(page).fill(wrong)
  await page.keyboard.press('Enter')
  await expect(await expectOutcome(page, 'Not done')).toContainText('Three codes were rejected')
  expect(await arrived()).toEqual({ codes: 3, confirmations: 0 })

  await confirmDeposit(page, second, '64')
  await code(page).fill(wrong)
  await page.keyboard.press('Enter')
  await expect(prompt(page)).toContainText('Two tries left')
  await expect(prompt(page).getByRole('alert').filter({ visible: true })).toContainText([
    'One more rejected code locks verification for 5 minutes.',
  ])
  await code(page).fill(wrong)
  await page.keyboard.press('Enter')
  await expect(prompt(page)).toContainText(/Codes are taken again in [0-5]:\d\d/)
  await expect(code(page)).toBeDisabled()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(prompt(page)).toHaveCount(0)

  await page.goto('/security')
  await expect(outcome(page, 'Two-factor security')).toContainText('Codes are blocked until')
  await expect(outcome(page, 'Two-factor security').getByText('Locked', { exact: true })).toBeVisible()
  // The next prompt says so before anybody types.
  await confirmDeposit(page, second, '64')
  await expect(code(page)).toBeDisabled()
  expect(await arrived()).toEqual({ codes: 5, confirmations: 0 })
})

test('who is not enrolled is sent to enrolment, comes back and goes on', { tag: '@long' }, async ({
  page,
  context,
  sandbox,
}) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '65')
  const arrived = await counter(sandbox)
  await signIn(page, 'operator@example.com')
  await confirmDeposit(page, reference, '65')
  const sent = page.getByRole('dialog', { name: 'This needs two-factor security' })
  await expectAccessible(page)
  const tried = page.waitForResponse((response) => response.url().includes('/api/commands/'))
  await sent.getByRole('button', { name: 'I have set it up' }).click()
  await tried
  await expect(sent).toBeVisible()

  const opening = context.waitForEvent('page')
  await sent.getByRole('link', { name: 'Set up an authenticator in a new tab' }).click()
  const security = await opening
  await security.getByRole('button', { name: 'Set up two-factor security' }).click()
  const phone = new Phone(await security.getByRole('button', { name: 'copy the secret' }).textContent())
  await security.getByLabel('Code').fill(phone.code())
  await expect(security.getByText('On since')).toBeVisible()
  await security.close()

  expect(await arrived()).toEqual({ codes: 0, confirmations: 0 })
  await sent.getByRole('button', { name: 'I have set it up' }).click()
  await code(page).fill(phone.code(1))
  await expect(outcome(page, 'Done')).toBeVisible()
  expect(await arrived()).toEqual({ codes: 1, confirmations: 1 })
})

test('the whole way works by keyboard alone, and leaving gives the focus back', { tag: '@long' }, async ({
  page,
  sandbox,
}) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '66')
  const arrived = await counter(sandbox)
  await signIn(page, ADMIN_MAIL, `/deposits?reference=${encodeURIComponent(reference)}`)
  await expect(page.getByRole('button', { name: /^Confirm deposit/ })).toBeEnabled()
  await page.getByLabel('Bank’s reference').focus()
  await page.keyboard.type('ATL-K9')
  await page.keyboard.press('Tab')
  await page.keyboard.type('66')
  const confirmByKeys = async () => {
    await page.keyboard.press('Enter')
    const confirm = page.getByRole('dialog').getByRole('button', { name: /^Confirm deposit/ })
    await expect(confirm).toBeVisible()
    for (let tabs = 0; tabs < 12 && !(await confirm.evaluate((it) => it === document.activeElement)); tabs += 1) {
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await expect(code(page)).toBeFocused()
  }
  await confirmByKeys()
  await page.keyboard.press('Escape')
  await expect(prompt(page)).toHaveCount(0)
  await expect(page.getByLabel('Amount on the statement')).toBeFocused()
  expect(await arrived()).toEqual({ codes: 0, confirmations: 0 })

  await confirmByKeys()
  await page.keyboard.type(await sandbox.shownCode(ADMIN_MAIL))
  await page.keyboard.press('Enter')
  await expect(outcome(page, 'Done')).toBeVisible()
  expect(await arrived()).toEqual({ codes: 1, confirmations: 1 })
})

test('while verification is out nothing is sent; a retry goes on', { tag: '@long' }, async ({ page, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '67')
  const arrived = await counter(sandbox)
  await signIn(page, ADMIN_MAIL)
  await sandbox.fault({
    method: 'POST',
    path: VERIFY,
    effect: { status: 503, code: 'core::gatekeeper::grant::invalid' },
  })
  await confirmDeposit(page, reference, '67')
  await code(page).fill(await sandbox.shownCode(ADMIN_MAIL))
  await page.keyboard.press('Enter')
  const out = page.getByRole('dialog', { name: 'Verification is not available right now' })
  await expect(out.getByRole('button', { name: 'copy Trace id' })).toBeVisible()
  await expectAccessible(page)
  await out.getByRole('button', { name: 'Try again' }).click()
  await code(page).fill(await sandbox.shownCode(ADMIN_MAIL))
  await page.keyboard.press('Enter')
  await expect(outcome(page, 'Done')).toBeVisible()
  expect(await arrived()).toEqual({ codes: 2, confirmations: 1 })
})

test('asks for a code before a run and on resuming', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const references = [
    await sandbox.announceDeposit('ana@example.com', '67'),
    await sandbox.announceDeposit('ana@example.com', '68'),
  ]
  const arrived = await counter(sandbox)
  await signIn(page, ADMIN_MAIL)
  await takeStatement(page, [
    { reference: references[0] ?? '', amount: '67' },
    { reference: references[1] ?? '', amount: '68' },
  ])
  await page.getByRole('button', { name: 'Confirm 2 ready deposits' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm 2 deposits' }).click()
  await expect(prompt(page)).toContainText('Confirm 2 deposits of 135.00 BZD together')
  await expect(code(page)).toBeFocused()
  await expectAccessible(page)
  expect(await arrived()).toEqual({ codes: 0, confirmations: 0 })

  // The service itself wants more than it said: the first line is refused before any effect.
  const effect = { status: 403, code: 'core::gatekeeper::required', title: 'Required' }
  await sandbox.fault({ method: 'POST', path: CONFIRM, effect })
  await code(page).fill(await sandbox.shownCode(ADMIN_MAIL))
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Verified until \d\d:\d\d$/)).toBeVisible()
  await expect(prompt(page)).toContainText('The verification expired during the run.')
  await expect(page.getByText(/^Stopped at line 1: A code from the authenticator of .+ is needed\./)).toBeVisible()
  await expect(prompt(page)).toContainText('Confirm 2 deposits of 135.00 BZD together')
  await code(page).fill(await sandbox.code(ADMIN))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Confirm 0 ready deposits' })).toBeVisible()
  for (const reference of references) {
    await expect(page.getByRole('row').filter({ hasText: reference })).toContainText('Done')
  }
  expect((await arrived()).confirmations).toBe(3)
})
