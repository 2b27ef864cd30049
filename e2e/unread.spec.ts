import type { Locator, Page } from '@playwright/test'
import { change } from './support/case-workspace.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { signIn } from './support/sign-in.ts'
import { jumpToLatest, said } from './support/workbench.ts'

const inRail = (page: Page): Locator => page.getByRole('link', { name: /^Disputes/ }).first()
const work = (page: Page): Locator =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Work', exact: true }) })

test('shows an unread message everywhere until its case is open', { tag: '@long' }, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await signIn(page, 'arbitrator@example.com', '/')
  await expect(work(page)).not.toContainText('My cases')
  await change(page, 'case.assign', { caseId })
  await expect(work(page)).toContainText('Waiting for us')
  await expect(page).toHaveTitle('Home · Operator Console')
  await sandbox.postMessage(caseId, 'ana@example.com', 'Where is my parcel?')
  await expect(work(page)).toContainText('1 unread')
  await expect(inRail(page)).toContainText('1 unread')
  await expect(page).toHaveTitle('(1) Home · Operator Console')
  await expectAccessible(page)
  await work(page).getByRole('link', { name: 'The goods never came.' }).click()
  await expect(said(page, 'Where is my parcel?')).toBeVisible()
  await expect(page).toHaveTitle('Dispute case · Operator Console')
  await expect(inRail(page)).not.toContainText('unread')
  const line = page.getByRole('region', { name: 'Open cases' }).locator(`li[data-row="${caseId}"]`)
  await expect(line).toContainText('Us')
  await expect(line).not.toContainText('unread')
})

test('a case opens at its first unread message', { tag: '@long' }, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  const write = async (from: number, to: number) => {
    for (let at = from; at <= to; at += 1) await sandbox.postMessage(caseId, 'ana@example.com', `Line ${at}`)
  }
  const unread = page.getByRole('region', { name: 'Open cases' }).locator(`li[data-row="${caseId}"]`)
  const line = page.locator('[data-new]')
  await write(1, 30)
  await signIn(page, 'arbitrator@example.com', `/disputes/${caseId}`)
  // The first time it starts at its top, and what is below stays unread.
  await expect(said(page, 'Line 1')).toBeInViewport()
  await expect(said(page, 'Line 30')).not.toBeInViewport()
  await expect(line).toHaveCount(0)
  await expect(unread).toContainText('unread')
  await jumpToLatest(page)
  await expect(said(page, 'Line 30')).toBeInViewport()
  await expect(unread).not.toContainText('unread')

  await page.goto('/security')
  await write(31, 60)
  await page.goto(`/disputes/${caseId}`)
  await expect(line).toBeInViewport()
  await expect(said(page, 'Line 31')).toBeInViewport()
  await expect(said(page, 'Line 60')).not.toBeInViewport()
  const below = page.getByRole('button', { name: /^Jump to latest \d+ new/ })
  await expect(below).toBeVisible()
  await below.click()
  await expect(page.getByRole('button', { name: /^Jump to latest/ })).toBeHidden()
  await expect(unread).not.toContainText('unread')
  await page.reload()
  await expect(said(page, 'Line 60')).toBeInViewport()
  await expect(line).toHaveCount(0)

  await expect(page.getByRole('region', { name: 'Case' }).getByText('Unassigned', { exact: true })).toBeVisible()
  await page.keyboard.press('u')
  await expect(page.getByText('Marked unread.')).toBeVisible()
  await expect(unread).toContainText('1 unread')
  await page.goto('/security')
  await page.goto(`/disputes/${caseId}`)
  await expect(line).toBeInViewport()
  await expect(unread).not.toContainText('unread')
})

interface ShownNotification {
  readonly title: string
  readonly body: string
}

declare global {
  interface Window {
    told: (ShownNotification & { onclick: (() => void) | null })[]
  }
}

/** A browser that asks its person for nothing, and counts what it would show. */
function stubNotifications(): void {
  window.told = []
  class Stub {
    onclick: (() => void) | null = null
    readonly title: string
    readonly body: string
    constructor(title: string, { body = '' }: NotificationOptions) {
      this.title = title
      this.body = body
      window.told.push(this)
    }
    static get permission() {
      return localStorage.getItem('permission') ?? 'default'
    }
    static async requestPermission() {
      const answer = localStorage.getItem('answer') ?? 'denied'
      localStorage.setItem('permission', answer)
      return answer
    }
    close() {}
  }
  Object.defineProperty(window, 'Notification', { value: Stub })
}

const toldIn = (page: Page): Promise<readonly ShownNotification[]> =>
  page.evaluate(() => window.told.map(({ title, body }) => ({ title, body })))

test('notifies once in all tabs, without the message’s text', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await page.context().addInitScript(stubNotifications)
  await signIn(page, 'admin@example.com', '/activity')
  await change(page, 'case.assign', { caseId })
  await page.getByRole('button', { name: /^Account:/ }).click()
  const choice = page.getByRole('group', { name: 'Notifications of messages in my cases' })
  await choice.getByText('On', { exact: true }).click()
  const refused = page.getByText('This browser blocks notifications from this console.')
  await expect(refused).toBeVisible()
  await expect(choice.getByRole('radio', { name: 'Off' })).toBeChecked()
  await page.evaluate(() => {
    localStorage.setItem('permission', 'default')
    localStorage.setItem('answer', 'granted')
  })
  await choice.getByText('On', { exact: true }).click()
  await expect(choice.getByRole('radio', { name: 'On' })).toBeChecked()
  await expect(refused).toHaveCount(0)

  const other = await page.context().newPage()
  await other.goto('/')
  await expect(work(other)).toContainText('Waiting for us')
  await sandbox.postMessage(caseId, 'ana@example.com', 'A secret of mine.')
  const told = async () => [...(await toldIn(page)), ...(await toldIn(other))]
  await expect.poll(told).toHaveLength(1)
  expect(await told()).toEqual([{ title: 'New message in a case of yours', body: `Case …${caseId.slice(-6)}` }])
  // Both tabs know of it, and one has told.
  await expect(page).toHaveTitle(/^\(1\)/)
  await expect(other).toHaveTitle(/^\(1\)/)
  const teller = (await toldIn(page)).length === 1 ? page : other
  await teller.evaluate(() => window.told[0]?.onclick?.())
  await expect(teller).toHaveURL(new RegExp(`/disputes/${caseId}$`))
  await expect(page).not.toHaveTitle(/^\(/)
  expect(await told()).toHaveLength(1)
})
