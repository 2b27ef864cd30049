import type { Browser, Page } from '@playwright/test'
import { openCaseStream } from './support/case-stream.ts'
import { change, refusedWorkspace, workspaceOf } from './support/case-workspace.ts'
import { expect, test } from './support/fixtures.ts'
import { signIn } from './support/sign-in.ts'

const ARBITRATOR = 'arbitrator@example.com'
const ADMIN = 'admin@example.com'

/** A second person, in a browser of their own. */
async function colleague(browser: Browser, baseURL: string | undefined, email: string): Promise<Page> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const page = await context.newPage()
  await signIn(page, email)
  return page
}

test('assigns a case to one of two concurrent people', {
  tag: '@long',
}, async ({ page, browser, baseURL, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await signIn(page, ARBITRATOR)
  const other = await colleague(browser, baseURL, ADMIN)
  const outcomes = await Promise.all([page, other].map((who) => change(who, 'case.assign', { caseId })))
  const winner = (await workspaceOf(page, caseId)).claim?.holderName
  expect(outcomes.filter((outcome) => (outcome as { class?: string }).class === 'done')).toHaveLength(1)
  const [first, second] = winner === ARBITRATOR ? [page, other] : [other, page]
  expect(JSON.stringify(outcomes)).toContain(winner)
  expect(await workspaceOf(second, caseId)).toMatchObject({ claim: { holderName: winner } })

  // Somebody else's case is neither unassigned nor reassigned.
  expect(await change(second, 'case.unassign', { caseId })).toMatchObject({ ok: false })
  const { me: to } = await workspaceOf(second, caseId)
  expect(await change(first, 'case.reassign', { caseId, to })).toMatchObject({ class: 'done' })
  expect((await workspaceOf(first, caseId)).claim?.holderName).not.toBe(winner)
  expect(await change(second, 'case.unassign', { caseId })).toMatchObject({ class: 'done' })
  expect((await workspaceOf(first, caseId)).claim).toBeNull()
  await other.context().close()
})

test('shows who has a case open until they leave', { tag: '@long' }, async ({ page, browser, baseURL, sandbox }) => {
  const caseId = await sandbox.raiseCase()
  await signIn(page, ARBITRATOR)
  const other = await colleague(browser, baseURL, ADMIN)
  const streams = await Promise.all([openCaseStream(page, caseId), openCaseStream(other, caseId)])
  for (const stream of streams) await expect.poll(() => stream.state()).toBe('live')
  const names = async (who: Page) => (await workspaceOf(who, caseId)).viewers.map(({ name }) => name)
  await expect.poll(() => names(page)).toEqual([ADMIN])
  await expect.poll(() => names(other)).toEqual([ARBITRATOR])
  await other.context().close()
  await expect.poll(() => names(page)).toEqual([])
})

test('notes are added for good and seen by who works on cases, and by nobody else', { tag: '@long' }, async ({
  page,
  browser,
  baseURL,
  sandbox,
}) => {
  const caseId = await sandbox.raiseCase()
  await signIn(page, ARBITRATOR)
  const other = await colleague(browser, baseURL, ADMIN)
  expect(
    await change(page, 'case.note', { caseId, text: 'The courier confirms.\nAsk again on Friday.' }),
  ).toMatchObject({
    class: 'done',
  })
  expect(await change(other, 'case.note', { caseId, text: 'Agreed.' })).toMatchObject({ class: 'done' })
  expect((await workspaceOf(page, caseId)).notes.map(({ authorName, text }) => [authorName, text])).toEqual([
    [ARBITRATOR, 'The courier confirms.\nAsk again on Friday.'],
    [ADMIN, 'Agreed.'],
  ])
  await other.context().close()

  for (const email of ['operator@example.com', 'viewer@example.com']) {
    const stranger = await colleague(browser, baseURL, email)
    const refused = await refusedWorkspace(stranger, caseId)
    expect([refused.status, refused.all.includes('courier')]).toEqual([403, false])
    await stranger.context().close()
  }
})
