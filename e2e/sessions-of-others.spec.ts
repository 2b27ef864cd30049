import type { Browser, Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import type { Programs } from './support/programs.ts'
import { signIn } from './support/sign-in.ts'

const ADMIN = 'admin@example.com'
const NEWCOMER = 'newcomer@example.com'

/** Somebody in a browser of their own. */
async function elsewhere(browser: Browser, programs: Programs, email: string, start?: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: programs.consoleUrl })).newPage()
  await signIn(page, email, start)
  return page
}

const over = (page: Page) => page.getByRole('alert').filter({ hasText: 'Your session is over' })
const endSessionButton = (page: Page, email: string) =>
  page.getByRole('button', { name: `End the session of ${email},` })
const dialog = (page: Page) => page.getByRole('dialog')

async function openDialog(page: Page, email: string): Promise<void> {
  await endSessionButton(page, email).first().click()
  await expect(dialog(page).getByLabel('Reason')).toBeFocused()
}

test('an administrator ends a session, and its browser says so', { tag: '@long' }, async ({
  browser,
  page,
  programs,
}) => {
  const other = await elsewhere(browser, programs, NEWCOMER)
  await signIn(page, ADMIN, '/security')
  await page.getByRole('link', { name: 'Who is signed in' }).click()
  await expect(page.getByRole('cell', { name: 'Chrome on Linux', exact: true })).toHaveCount(2)
  await page.getByLabel('Find a session').fill('newc')
  await page.getByLabel('Find a session').press('Enter')
  await expect(page.getByText('Searched for “newc”')).toBeVisible()
  await expect(endSessionButton(page, ADMIN)).toHaveCount(0)
  await openDialog(page, NEWCOMER)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'End this session' }).click()
  await expect(dialog(page).getByText('Enter a reason.')).toBeVisible()
  await page.getByLabel('Reason').fill('The laptop was left on a train')
  await page.getByRole('button', { name: 'End this session' }).click()

  await expect(over(other)).toContainText('An administrator ended it.')
  await expect(page.getByText(`The session of ${NEWCOMER} has ended.`)).toBeFocused()
  await expect(endSessionButton(page, NEWCOMER)).toHaveCount(0)
  await over(other).getByRole('link', { name: 'Sign in again', exact: true }).click()
  await expect(other.getByText('An administrator ended your session.')).toBeVisible()
  await page.goto('/activity?kind=session.end-of-other')
  await expect(page.getByRole('row', { name: /Ended one session of newcomer/ })).toContainText('left on a train')
  await other.context().close()
})

test('the list of sessions shows by itself who signs in and who signs out', { tag: '@long' }, async ({
  browser,
  page,
  programs,
}) => {
  await programs.startOver()
  await signIn(page, ADMIN, '/security/sessions')
  await expect(page.getByText('This one', { exact: true })).toBeVisible()
  await expect(endSessionButton(page, NEWCOMER)).toHaveCount(0)
  const other = await elsewhere(browser, programs, NEWCOMER)
  await expect(endSessionButton(page, NEWCOMER)).toHaveCount(1)
  await other.getByRole('button', { name: `Account: ${NEWCOMER}` }).click()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expect(endSessionButton(page, NEWCOMER)).toHaveCount(0)
  await other.context().close()
})

test('all sessions of a person end at once, and one that has ended meanwhile is no fault', { tag: '@long' }, async ({
  browser,
  page,
  programs,
}) => {
  // No session of the test before is left.
  await programs.startOver()
  const others = [
    await elsewhere(browser, programs, NEWCOMER),
    await elsewhere(browser, programs, NEWCOMER),
    await elsewhere(browser, programs, 'operator@example.com'),
  ] as const
  const second = await elsewhere(browser, programs, ADMIN, '/security/sessions')
  await signIn(page, ADMIN, '/security/sessions?sort=person')
  await expect(page.getByText('This one')).toHaveCount(1)
  await openDialog(page, NEWCOMER)
  // A row that is added moves the others.
  await expect(endSessionButton(second, ADMIN)).toHaveCount(1)
  await openDialog(second, NEWCOMER)
  for (const admin of [page, second]) {
    await admin.getByLabel('Reason').fill('Left the company')
    await admin.getByRole('button', { name: 'End all 2 sessions' }).click()
    await expect(admin.getByText(`All sessions of ${NEWCOMER} have ended.`)).toBeVisible()
  }
  for (const other of others.slice(0, 2)) await expect(over(other)).toBeVisible()
  await expect(others[2].getByRole('button', { name: 'Account: operator@example.com' })).toBeVisible()
  await expect(over(others[2])).toHaveCount(0)

  // One's own other session is ended as everybody's is; the one that asks stays.
  await openDialog(page, ADMIN)
  await page.getByLabel('Reason').fill('Mine, at another desk')
  await page.getByRole('button', { name: 'End this session' }).click()
  await expect(over(second)).toBeVisible()
  await expect(page.getByText('This one')).toBeVisible()
  for (const one of [...others, second]) await one.context().close()
})

test('nobody ends the session that asks, one by another’s name, or any from another site', { tag: '@long' }, async ({
  browser,
  page,
  programs,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 40[0349]/)
  const operator = await elsewhere(browser, programs, 'operator@example.com', '/security/sessions')
  await expect(operator.getByText('Only administrators of this console have access.')).toBeVisible()
  await expectAccessible(operator)
  await operator.goto('/security')
  await expect(operator.getByRole('link', { name: 'Who is signed in' })).toHaveCount(0)
  const ask = (from: Page, body: unknown, header = 'x-console') =>
    from.evaluate(
      async ([sent, name]) => {
        const headers = { [name as string]: '1', 'content-type': 'application/json' }
        const options = { method: 'POST', headers, body: JSON.stringify(sent) }
        return (await fetch('/api/session/others', options)).status
      },
      [body, header],
    )
  const reason = 'because'
  const everybody = { of: { userId: '00000000-0000-4000-8000-000000000003' }, reason }
  expect(await ask(operator, everybody)).toBe(403)
  await signIn(page, ADMIN, '/security/sessions')
  expect(await ask(page, everybody, 'x-other')).toBe(403)
  expect(await ask(page, { of: { session: crypto.randomUUID() }, reason })).toBe(404)
  for (const wrong of [
    { of: { session: '1' }, reason },
    { of: {}, reason },
    { of: { session: crypto.randomUUID() }, reason: '' },
    { of: { session: crypto.randomUUID(), userId: '1' }, reason },
    { of: { userId: 'nobody' }, reason: '4111 1111 1111 1111' },
  ]) {
    expect(await ask(page, wrong), JSON.stringify(wrong)).toBe(400)
  }
  // All of one's own but the one that asks: those of the tests before, and then there is none.
  expect([200, 404]).toContain(await ask(page, everybody))
  expect(await ask(page, everybody)).toBe(404)
  await page.reload()
  await expect(page.getByText('This one')).toBeVisible()
  await operator.context().close()
})
