import { expect, type Locator, type Page } from '@playwright/test'
import { signIn } from './sign-in.ts'

export const ARBITRATOR = 'arbitrator@example.com'

/** A dispute case, as a person finds their way on it. */
export const thread = (page: Page): Locator => page.getByRole('region', { name: 'Thread' })
export const composer = (page: Page): Locator => page.getByLabel('Message to both sides')
export const send = (page: Page): Locator => page.getByRole('button', { name: /^Send message/ })
export const said = (page: Page, text: string): Locator => thread(page).getByText(text, { exact: true })
/** What is told of messages that do not stand in the thread yet. */
export const onTheWay = (page: Page): Locator => thread(page).getByText(/^· (sending|not known yet|sent|not sent)$/)
export const resolution = (page: Page): Locator => page.getByRole('region', { name: 'Resolution' })
/** What the bar of any page says of stream and service. */
export const liveDot = (page: Page, word: string | RegExp): Locator =>
  page.getByRole('banner').getByRole('status').getByText(word, { exact: true })

const THREAD_WORDS = ['Catching up', 'Checking every 5 s', 'Not live'] as const

/** How current a case says it is. Live: the bar says so, and the thread does not say otherwise. */
export const connection = (page: Page, word: 'Live' | (typeof THREAD_WORDS)[number]): Locator =>
  word === 'Live'
    ? page
        .locator('body', { has: liveDot(page, 'Live') })
        .filter({ has: page.getByRole('region', { name: 'Thread', includeHidden: true }) })
        .filter({ hasNot: page.getByRole('main').getByText(new RegExp(`^(${THREAD_WORDS.join('|')})$`)) })
    : page.getByRole('main').getByText(word, { exact: true })

/** A thread that is longer than its pane opens at its top the first time. */
export const jumpToLatest = (page: Page): Promise<void> => page.getByRole('button', { name: /^Jump to latest/ }).click()

export async function openCase(page: Page, caseId: string, email = ARBITRATOR): Promise<void> {
  await signIn(page, email, `/disputes/${caseId}`)
  await expect(connection(page, 'Live')).toBeVisible()
}

/** Whether this is still the document that was marked: nothing has loaded the page anew. */
export async function markDocument(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => document.documentElement.setAttribute('data-marked', ''))
  return () => page.evaluate(() => document.documentElement.hasAttribute('data-marked'))
}

/** The bodies of all messages that stand in the thread, in the order in which they stand there. */
export const bodiesShown = (page: Page): Promise<readonly string[]> =>
  thread(page)
    .locator('ol > li')
    .evaluateAll((items) => items.flatMap((item) => item.querySelector('article p, div > span')?.textContent ?? []))

declare global {
  interface Window {
    connectionWords?: Set<string>
  }
}

/** From now on, remembers every word with which a case says that it is not live. */
export async function watchConnection(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate((words) => {
    const seen = new Set<string>()
    window.connectionWords = seen
    const look = () => {
      for (const status of document.querySelectorAll('[role="status"]')) {
        for (const word of words) if (status.textContent?.startsWith(word)) seen.add(word)
      }
    }
    look()
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  }, THREAD_WORDS)
  return () => page.evaluate(() => [...(window.connectionWords ?? [])])
}

/** Where an element stands in the view. */
export async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (box === null) throw new Error(`${element} is not shown`)
  return { ...box, bottom: box.y + box.height }
}

/** The newest message stands whole above the composer, or above what has taken its place. */
export async function expectNewestInView(page: Page, when: string): Promise<void> {
  const below = page.locator('form', { has: composer(page) }).or(page.getByRole('region', { name: 'Resolution' }))
  await expect(async () => {
    const [last, edge, log] = await Promise.all([
      boxOf(thread(page).locator('article').last()),
      boxOf(below),
      boxOf(thread(page)),
    ])
    expect(last.bottom, when).toBeLessThanOrEqual(edge.y)
    expect(last.bottom, when).toBeGreaterThan(edge.y - 60)
    expect(log.bottom, when).toBeLessThanOrEqual(edge.y)
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight), when).toBeLessThanOrEqual(0)
  }).toPass()
}
