import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { Holder } from './support/holder.ts'
import type { Programs } from './support/programs.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'
import { connection, openCase, said } from './support/workbench.ts'

const anaAt = ({ sandboxUrl }: Programs) => Holder.signIn(sandboxUrl, 'ana@example.com', ANA)

/** The tabs that opened a stream. */
function streamsOf(context: BrowserContext): Page[] {
  const opened: Page[] = []
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/stream') opened.push(request.frame().page())
  })
  return opened
}

test('tabs share one stream, also after its tab is closed', { tag: '@long' }, async ({
  page,
  context,
  programs,
  sandbox,
}) => {
  const streams = streamsOf(context)
  const ana = await anaAt(programs)
  const [one, two] = [await sandbox.raiseCase(), await sandbox.raiseCase()]
  await openCase(page, one)
  const other = await context.newPage()
  await other.goto(`/disputes/${two}`)
  await expect(connection(other, 'Live')).toBeVisible()
  await ana.write(two, 'To the second tab')
  await expect(said(other, 'To the second tab')).toBeVisible()
  expect(new Set(streams)).toEqual(new Set([page]))

  await page.close()
  await ana.write(two, 'While nobody held the stream')
  await expect(said(other, 'While nobody held the stream')).toBeVisible()
  await expect(connection(other, 'Live')).toBeVisible()
  expect(streams.at(-1)).toBe(other)
})

test('without a stream, polls a case and says so once', {
  tag: '@long',
}, async ({ page, context, programs, sandbox }) => {
  const ana = await anaAt(programs)
  const caseId = await sandbox.raiseCase()
  // Like a proxy that buffers every answer.
  await context.route('**/api/stream', () => {})
  await signIn(page, 'arbitrator@example.com', `/disputes/${caseId}`)
  const words = page.getByText('Checking every 5 s', { exact: true })
  await expect(page.getByRole('banner').locator(words)).toBeVisible()
  await expect(words).toHaveCount(1)
  await ana.write(caseId, 'Heard all the same')
  await expect(said(page, 'Heard all the same')).toBeVisible()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
})
