import type { Page, Response, Route } from '@playwright/test'
import { workspaceOf } from './support/case-workspace.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { Holder } from './support/holder.ts'
import type { Programs } from './support/programs.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn, signInAgain } from './support/sign-in.ts'
import { ARBITRATOR, composer, connection, markDocument, onTheWay, openCase, said } from './support/workbench.ts'

const OPERATOR = 'operator@example.com'

const warning = (page: Page) => page.getByText('Your session ends soon')
const over = (page: Page) => page.getByRole('alert').filter({ hasText: 'Your session is over' })

/** The answer to the page's saving of the text that has both. */
const savingOf = (page: Page, bankReference: string, amount: string): Promise<Response> =>
  page.waitForResponse((response) => {
    if (new URL(response.url()).pathname !== '/api/session/drafts') return false
    const { text } = response.request().postDataJSON()
    return text.includes(bankReference) && text.includes(`"${amount}"`)
  })

/** As if nobody had used a key or a pointer for so long. */
async function idleFor({ postgres }: Programs, minutes: number): Promise<void> {
  const since = new Date(Date.now() - minutes * 60_000).toISOString()
  await postgres?.query('UPDATE session SET last_active_at = $1', [since])
}

/** The sessions of everybody are over, as when they are ended elsewhere. */
const endSessions = async ({ postgres }: Programs) => void (await postgres?.query('DELETE FROM session'))

test('a session says two minutes before its idle end so, ends, and leads back to what was typed', {
  tag: '@long',
}, async ({ page, context, programs, sandbox }) => {
  const reference = await sandbox.announceDeposit('ana@example.com', '64')
  const here = `/deposits?${new URLSearchParams({ reference })}`
  const tab = await context.newPage()
  const bankReference = page.getByLabel('Bank’s reference')
  await signIn(page, OPERATOR, here)
  await tab.goto('/transactions')

  await idleFor(programs, 13.1)
  await expect(warning(page)).toBeVisible()
  await expect(warning(tab)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(warning(page)).toHaveCount(0)
  // One session: activity in one tab keeps the others.
  await expect(warning(tab)).toHaveCount(0)

  const kept = savingOf(page, 'ATL-I1', '64')
  await bankReference.fill('ATL-I1')
  await page.getByLabel('Amount on the statement').fill('64')
  expect((await kept).status()).toBe(200)
  // The session ends while a text is on its way.
  const [sent, hasEnded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holdSaving = async (route: Route) => {
    sent.resolve()
    await hasEnded.promise
    await route.continue()
  }
  await page.route('**/api/session/drafts', holdSaving, { times: 1 })
  const refused = savingOf(page, 'ATL-I2', '64')
  await bankReference.fill('ATL-I2')
  await sent.promise
  await idleFor(programs, 15.1)
  hasEnded.resolve()
  expect((await refused).status()).toBe(401)
  await expect(over(page)).toBeVisible()
  await expectAccessible(page)

  await over(page).getByRole('button', { name: 'Try again' }).click()
  await expect(over(page).getByText('No one is signed in in this browser.')).toBeVisible()

  // Signed in again in another tab, the page goes on as it was left, and keeps what it could not.
  const keptNow = savingOf(page, 'ATL-I2', '64')
  await tab.goto('/sign-in')
  await signInAgain(tab, OPERATOR)
  await expect(over(page)).toHaveCount(0)
  await expect(bankReference).toHaveValue('ATL-I2')
  expect((await keptNow).status()).toBe(200)

  await endSessions(programs)
  await over(page).getByRole('link', { name: 'Sign in again', exact: true }).click()
  await expect(page).toHaveURL(/\/sign-in\?why=ended&to=%2Fdeposits/)
  await signInAgain(page, OPERATOR)
  await expect(page).toHaveURL(here)
  await expect(bankReference).toHaveValue('ATL-I2')
  await expect(page.getByLabel('Amount on the statement')).toHaveValue('64')
})

test('notices of the session leave an open dialog as it was', {
  tag: '@long',
}, async ({ page, browser, programs, sandbox }) => {
  const colleague = await (await browser.newContext({ baseURL: programs.consoleUrl })).newPage()
  await signIn(colleague, 'admin@example.com', '/disputes')
  await colleague.context().close()
  await openCase(page, await sandbox.raiseCase())
  await page.getByRole('button', { name: 'Assign to me', exact: true }).click()
  await page.getByRole('button', { name: 'Reassign', exact: true }).click()
  const note = page.getByRole('dialog', { name: /^Reassign case/ }).getByLabel('Internal note')
  await note.fill('The laptop was left')
  await idleFor(programs, 13.1)
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(warning(page)).toHaveCount(0)
  await expect(note).toHaveValue('The laptop was left')

  await endSessions(programs)
  await expect(over(page)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.type(' on a train')
  await page.keyboard.press('Tab')
  await expect(over(page).getByRole('link', { name: 'Sign in again', exact: true })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(over(page).getByRole('link', { name: 'Sign in in a new tab' })).toBeFocused()
  const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')])
  await signInAgain(tab, ARBITRATOR)
  await expect(over(page)).toHaveCount(0)
  await expect(note).toBeFocused()
  await expect(note).toHaveValue('The laptop was left')
})

test('when somebody else signs in, an open page becomes theirs and keeps nothing that was typed before', async ({
  page,
  context,
  programs,
  sandbox,
  expectedErrors,
}) => {
  // What the page would save is refused: there is no session, and then it is somebody else's.
  expectedErrors.push(/status of 409/)
  const reference = await sandbox.announceDeposit('ana@example.com', '65')
  await signIn(page, OPERATOR, `/deposits?${new URLSearchParams({ reference })}`)
  await page.getByLabel('Bank’s reference').fill('ATL-E1')
  await endSessions(programs)
  // The provider knows nobody any more, either.
  await context.clearCookies()
  await expect(over(page)).toBeVisible()
  const tab = await context.newPage()
  await signIn(tab, 'admin@example.com')
  await page.bringToFront()
  await expect(page.getByRole('button', { name: 'Account: admin@example.com' })).toBeVisible()
  await expect(page.getByLabel('Bank’s reference')).toHaveValue('')
})

test('signing out in another tab closes this page’s stream', { tag: '@long' }, async ({
  page,
  context,
  browser,
  programs,
  sandbox,
}) => {
  const caseId = await sandbox.raiseCase()
  const colleague = await (await browser.newContext({ baseURL: programs.consoleUrl })).newPage()
  await signIn(colleague, 'admin@example.com', '/security')
  // Whoever has a stream of a case is told to colleagues: that is how they can see it end.
  const lookers = async () => (await workspaceOf(colleague, caseId)).viewers.map(({ name }) => name)
  await openCase(page, caseId)
  const sameDocument = await markDocument(page)
  await composer(page).fill('Before I was signed out')
  await expect.poll(lookers).toEqual([ARBITRATOR])
  const tab = await context.newPage()
  await tab.goto('/security')
  await tab.getByRole('button', { name: /^Account:/ }).click()
  await tab.getByRole('button', { name: 'Sign out' }).click()
  await expect(tab).toHaveURL(/\/signed-out/)
  await expect.poll(lookers).toEqual([])
  await expect(over(page)).toBeVisible()

  // Signed in again in the other tab, this page goes on by itself, whole, with what was typed.
  await signIn(tab, ARBITRATOR, '/security')
  await expect(over(page)).toHaveCount(0)
  await expect(connection(page, 'Live')).toBeVisible()
  await expect(page.getByText('Your session has ended')).toHaveCount(0)
  await expect.poll(lookers).toContain(ARBITRATOR)
  const ana = await Holder.signIn(programs.sandboxUrl, 'ana@example.com', ANA)
  await ana.write(caseId, 'Welcome back.')
  await expect(said(page, 'Welcome back.')).toBeVisible()
  await expect(composer(page)).toHaveValue('Before I was signed out')
  expect(await sameDocument()).toBe(true)
  await colleague.context().close()
})

test('keeps a refused message over a sign-in, posts it once', {
  tag: '@long',
}, async ({ page, context, sandbox, expectedErrors }) => {
  // The stream of the session before is not known to the one after it.
  expectedErrors.push(/status of 404/)
  const caseId = await sandbox.raiseCase()
  const saved = (text: string) =>
    page.waitForResponse(
      (answer) =>
        answer.request().method() === 'PUT' &&
        answer.url().endsWith('/api/session/drafts') &&
        answer.request().postDataJSON().text === text &&
        answer.ok(),
    )
  await openCase(page, caseId)
  const older = saved('An older draft')
  await composer(page).fill('An older draft')
  await older

  // The message is what meets the end of the session; whatever else asks would cover the page before it is sent.
  const sent = Promise.withResolvers<void>()
  await page.route(/\/api\/(?!commands)/, async (route) => {
    await sent.promise
    await route.continue()
  })
  await context.clearCookies({ name: '__Host-console.sid' })
  await composer(page).fill('The message')
  await composer(page).press('Control+Enter')
  await expect(page.getByText('Not sent: your session ended.')).toBeVisible()
  sent.resolve()
  await expect(over(page)).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await expect(composer(page)).toHaveValue('The message')
  // It is nowhere but on this page, so no way leads away from it.
  await expect(over(page).getByText('Your latest text is not saved yet.')).toBeVisible()
  await expect(over(page).getByRole('link')).toHaveText(['Sign in in a new tab'])
  const now = saved('The message')
  const tab = await context.newPage()
  await tab.goto('/sign-in')
  await signInAgain(tab, ARBITRATOR)
  await now
  await expect(over(page)).toHaveCount(0)
  await expect(composer(page)).toHaveValue('The message')

  await context.clearCookies({ name: '__Host-console.sid' })
  await composer(page).press('Control+Enter')
  await over(page).getByRole('link', { name: 'Sign in again', exact: true }).click()
  await signInAgain(page, ARBITRATOR)
  await expect(page).toHaveURL(new RegExp(`/disputes/${caseId}`))
  await expect(composer(page)).toHaveValue('The message')
  await expect(page.getByRole('button', { name: /^Send(?!er)/ })).toBeEnabled()
  await composer(page).press('Control+Enter')
  await expect(composer(page)).toHaveValue('')
  const posted = async () => (await sandbox.bodiesOf(caseId)).filter((body) => body === 'The message')
  // The page shows the message before it is sent.
  await expect.poll(posted).toHaveLength(1)
  await expect(onTheWay(page)).toHaveCount(0)
  await expect(said(page, 'The message')).toHaveCount(1)
  expect(await posted()).toHaveLength(1)
})
