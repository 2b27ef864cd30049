import { expect, test } from './support/fixtures.ts'
import { choice, queueRows, queueTable, rowOfCase, shownCases, stepBack } from './support/queue.ts'
import { expectReadable, LONG } from './support/readable.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { alive, range } from './support/table.ts'

const ARBITRATOR = 'arbitrator@example.com'

test('the queue is whole and says so: thirty open cases, oldest first, with amount and state of each payment', {
  tag: '@long',
}, async ({ page, sandbox: _reset }) => {
  await signIn(page, ARBITRATOR, '/disputes')
  await expect(page.getByText(/^Complete as of \d\d:\d\d:\d\d, 30 cases$/)).toBeVisible()
  await expect(page.getByText('Admin view: everyone’s cases')).toBeVisible()
  await expect(range(page, '1–20 of 30')).toBeVisible()
  await expect(queueTable(page).getByText('Disputed', { exact: true })).toHaveCount(20)
  await expect(queueRows(page).first().getByRole('button', { name: 'copy with eight places' })).toBeVisible()
  const oldest = await shownCases(page)
  await queueTable(page).getByRole('link', { name: 'Age' }).click()
  await expect(page).toHaveURL(/\?sort=age$/)
  await expect.poll(() => shownCases(page)).not.toEqual(oldest)
  await page.getByRole('link', { name: 'Last page' }).click()
  await expect(range(page, '21–30 of 30')).toBeVisible()
  // The youngest first: the oldest ten are on the last page, in the other order.
  expect(await shownCases(page)).toEqual(oldest.slice(0, 10).toReversed())
  await stepBack(page)
  await stepBack(page)
  await expect.poll(() => shownCases(page)).toEqual(oldest)
  await expect(page.getByRole('link', { name: 'Disputes 30 open' })).toBeVisible()
  await expect(queueRows(page).first()).toContainText('over target')
  await queueRows(page).first().getByRole('button', { name: 'over target' }).hover()
  await expect(page.getByText('Over the target: the case is open for 72 hours or longer.').first()).toBeVisible()
})

test('filters narrow the whole list, stand in the address, and Back takes them off one by one', {
  tag: '@long',
}, async ({ page, sandbox: _reset }) => {
  await signIn(page, ARBITRATOR, '/disputes?size=50')
  await expect(range(page, '1–30 of 30')).toBeVisible()
  await alive(page)
  await choice(page, 'age', '> 7 d').click()
  await expect(page).toHaveURL(/\?size=50&age=older$/)
  await expect(range(page, '1–30 of 30')).toHaveCount(0)
  const old = await queueRows(page).count()
  expect(old).toBeGreaterThan(0)
  await page.getByLabel('Party').fill(ANA.toUpperCase())
  await page.keyboard.press('Enter')
  // A list that is on its way has no rows, and is no step yet that Back could take off.
  await expect(page).toHaveURL(/&party=/)
  await expect.poll(() => queueRows(page).count()).toBeLessThan(old)
  for (const row of await queueRows(page).all()) await expect(row.getByTitle(ANA)).toHaveCount(1)
  await choice(page, 'assignee', 'Mine').click()
  await expect(page).toHaveURL(/&claim=mine/)
  await expect(page.getByText('No cases match')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No cases match')).toBeVisible()
  await stepBack(page)
  await stepBack(page)
  await expect.poll(() => queueRows(page).count()).toBe(old)
  await stepBack(page)
  await expect(range(page, '1–30 of 30')).toBeVisible()

  await page.getByLabel('Party').fill('ana@example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Users are found by id, not by e-mail address.')).toBeVisible()
  await page.goto('/disputes?turn=ours')
  await expect(page.getByText('Unknown turn in the address: “ours”.')).toBeVisible()
  await alive(page)
  await choice(page, 'turn', 'A party').click()
  await expect(page).toHaveURL('/disputes?turn=party')
  await page.getByRole('link', { name: 'By last message' }).click()
  await expect(page).toHaveURL('/disputes?turn=party&sort=last')
  await page.goto('/disputes?age=ancient&claim=unassigned&status=closed')
  await expect(page.getByText('Unknown age in the address: “ancient”.')).toBeVisible()
  await expect(page.getByText('Unknown status in the address: “closed”.')).toBeVisible()
  await expect(range(page, '1–20 of 30')).toBeVisible()
})

test('resolved cases and all cases are lists of their own, with the outcome word for word', { tag: '@long' }, async ({
  page,
  sandbox: _reset,
}) => {
  await signIn(page, ARBITRATOR, '/disputes')
  await choice(page, 'status', 'Resolved').click()
  await expect(page.getByText(/^Complete as of .*, 15 cases$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Resolved cases, latest first' })).toBeVisible()
  await expect(queueRows(page).first()).toContainText(/Sender refunded|Released to the recipient/)
  await choice(page, 'status', 'All').click()
  await expect(page.getByText(/^Complete as of .*, 45 cases$/)).toBeVisible()
  await page.getByRole('link', { name: '50 rows a page' }).click()
  await expect(queueTable(page).getByText('Resolved', { exact: true })).toHaveCount(15)
  await stepBack(page)
  await stepBack(page)
  await expect(page.getByText(/^Complete as of .*, 15 cases$/)).toBeVisible()
})

test('keeps rows in place, and applies changes on demand', {
  tag: '@long',
}, async ({ page, browser, programs, sandbox }) => {
  await signIn(page, ARBITRATOR, '/disputes?size=50&sort=age')
  await expect(range(page, '1–30 of 30')).toBeVisible()
  const before = await shownCases(page)
  const added = await sandbox.raiseCase()
  const colleague = await (await browser.newContext({ baseURL: programs.consoleUrl })).newPage()
  await signIn(colleague, 'admin@example.com', '/disputes')
  await colleague.getByRole('button', { name: 'Assign the next case to me' }).click()
  await expect(colleague).toHaveURL(/\/disputes\/[\da-f-]{36}/)
  const taken = new URL(colleague.url()).pathname.split('/').at(-1) ?? ''
  await colleague.context().close()
  const show = page.getByRole('button', { name: '1 new, 1 changed: show' })
  await expect(show).toBeVisible()
  expect(await shownCases(page)).toEqual(before)
  await expect(rowOfCase(page, taken)).toContainText('Changed')
  await expect(rowOfCase(page, taken)).toContainText('Unassigned')
  await show.click()
  await expect(range(page, '1–31 of 31')).toBeVisible()
  await expect(rowOfCase(page, added)).toContainText('New')
  await expect(rowOfCase(page, taken)).toContainText('admin@example.com')
  await expect(show).toHaveCount(0)
  await expect(rowOfCase(page, added)).toContainText('20.')
  await expect(page.getByRole('link', { name: 'Disputes 31 open' })).toBeVisible()
})

test('a row opens by Enter and by a click anywhere in it; j and k move', { tag: '@long' }, async ({
  page,
  sandbox: _reset,
}) => {
  await signIn(page, ARBITRATOR, '/disputes')
  await expect(range(page, '1–20 of 30')).toBeVisible()
  await alive(page)
  const ids = await shownCases(page)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(queueRows(page).nth(1).getByRole('link').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/disputes/${ids[1]}`)
  await page.goto('/disputes')
  await alive(page)
  await queueRows(page).nth(2).getByText('Unassigned').click()
  await expect(page).toHaveURL(`/disputes/${ids[2]}`)
})

test('the next case opens with the reason, and is mine', { tag: '@long' }, async ({ page, sandbox: _reset }) => {
  await signIn(page, ARBITRATOR, '/disputes?claim=unassigned')
  await expect(queueRows(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'Assign the next case to me' }).click()
  await expect(page).toHaveURL(/\/disputes\/[\da-f-]{36}$/)
  await expect(page.getByText(/^Chosen: over target by \d+ d/)).toBeVisible()
  const taken = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.goto('/disputes?claim=mine')
  await expect(rowOfCase(page, taken)).toContainText('you')
  await page.goto('/disputes?claim=unassigned')
  await expect(queueRows(page).first()).toBeVisible()
  expect(await shownCases(page)).not.toContain(taken)
})

test('Home shows open disputes by age, and each part leads into the queue', { tag: '@long' }, async ({
  page,
  sandbox: _reset,
}) => {
  await signIn(page, ARBITRATOR, '/')
  const ages = page.getByRole('navigation', { name: 'Open disputes by age' })
  await expect(ages.getByRole('link')).toHaveCount(4)
  const old = ages.getByRole('link', { name: '> 7 d' })
  const count = /^(\d+) open/.exec((await old.textContent()) ?? '')?.[1]
  await expect(page.getByRole('table', { name: 'The oldest open disputes' }).getByRole('row')).toHaveCount(11)
  await old.click()
  await expect(page).toHaveURL('/disputes?age=older')
  await expect(range(page, `of ${count}`)).toBeVisible()
})

test('the queue reads well in light and dark, at every width', { tag: '@long' }, async ({ page, sandbox: _reset }) => {
  await signIn(page, ARBITRATOR, '/disputes')
  for (const path of ['/disputes?status=all', '/', ...(LONG ? ['/disputes', '/disputes?claim=mine'] : [])]) {
    await page.goto(path)
    await expect(page.getByText(/omplete as of/).first()).toBeVisible()
    await expectReadable(page, path)
  }
})
