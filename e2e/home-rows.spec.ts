import { randomUUID } from 'node:crypto'
import { sendNewCard } from './support/card-tasks.ts'
import { expect, test } from './support/fixtures.ts'
import { outcome } from './support/outcome.ts'
import { signIn } from './support/sign-in.ts'

/** In pixels. Titles break between words. */
const TITLE_MIN_WIDTH = 120

test('keeps titles on Home readable beside a long name', { tag: '@long' }, async ({
  page,
  browser,
  programs,
  sandbox,
}) => {
  const holder = await sandbox.newHolder('longname')
  await signIn(page, 'operator@example.com')
  await sandbox.fault({ method: 'POST', path: '/api/v1/cards', effect: 'drop-after' })
  await sendNewCard(page, { userId: holder.id, printedName: 'Long Name' })
  await expect(outcome(page, 'Not known yet')).toBeVisible()
  // A provider that sends no name leaves the user id as the name.
  const actorName = randomUUID()
  await programs.postgres?.query('UPDATE command SET actor_name = $1', [actorName])
  const home = await (await browser.newContext({ baseURL: programs.consoleUrl })).newPage()
  await signIn(home, 'admin@example.com')
  for (const width of [1440, 1101, 1024, 390]) {
    await home.setViewportSize({ width, height: 900 })
    await home.goto('/')
    await expect(home.getByText(actorName)).toBeVisible()
    const title = await home.getByRole('link', { name: `Issue a card for …${holder.id.slice(-6)}` }).boundingBox()
    expect(title?.width, `at ${width}`).toBeGreaterThanOrEqual(TITLE_MIN_WIDTH)
    const overflow = await home.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, `at ${width}`).toBeLessThanOrEqual(0)
  }
  await home.context().close()
})
