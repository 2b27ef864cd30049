import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { PASSWORD } from './sandbox-controls.ts'

const isSignedIn = (page: Page, email: string): Promise<void> =>
  expect(page.getByRole('button', { name: `Account: ${email}` })).toBeVisible()

/**
 * Signs in with single sign-on by the requests that the pages would make, which takes a fraction of the time, and opens
 * `start`. The session is the same; `sign-in.spec.ts` and others go through the pages.
 */
export async function signIn(page: Page, email: string, start = '/deposits'): Promise<void> {
  // An open page of somebody else would go somewhere by itself as soon as the session is another one.
  await page.goto('about:blank')
  await openSession(page.context().request, email)
  await page.goto(start)
  await isSignedIn(page, email)
}

/** Signs in by requests alone: the session's cookie is in the context of `request`. */
export async function openSession(request: APIRequestContext, email: string): Promise<void> {
  const csrf = await request.get('/api/auth/csrf')
  expect(csrf.status(), await csrf.text()).toBe(200)
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const { origin } = new URL(csrf.url())
  const form = { csrfToken, callbackUrl: '/signed-in?to=%2F' }
  const provider = await request.post('/api/auth/signin/sso', {
    form,
    headers: { origin, 'sec-fetch-site': 'same-origin' },
  })
  const answer = await request.get(addressIn(await provider.text()) ?? '')
  // Somebody whom the provider still knows is back already.
  if (new URL(answer.url()).origin === origin) return
  const back = await request.post(answer.url(), { form: { email, password: PASSWORD } })
  expect(new URL(back.url()).pathname, await back.text()).toBe('/signed-in')
}

/** The address that a page opens at once; null if it opens none. */
export function addressIn(page: string): string | null {
  const [, address] = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(page) ?? []
  return address?.replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code))) ?? null
}

/** Signs in through the pages of console and provider, as a person does, starting at the page given. */
export async function signInThroughPages(page: Page, email: string, start = '/deposits'): Promise<void> {
  await page.goto(start)
  await page.getByRole('button', { name: /Continue with/ }).click()
  await page.waitForURL(/\/idp\/sign-in\//)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await isSignedIn(page, email)
}

/** Signs in once more where the identity provider still knows the person: without a word, back to where they were. */
export async function signInAgain(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: /Continue with/ }).click()
  await isSignedIn(page, email)
}

/** Signs in with a password on the console's own page. */
export async function signInWithPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in with a password' }).click()
}
