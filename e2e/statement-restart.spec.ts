import { CONSOLE_AWAY, expect, expectAccessible, test } from './support/fixtures.ts'
import { signIn } from './support/sign-in.ts'
import { takeStatement } from './support/statement-tasks.ts'

const OPERATOR = 'operator@example.com'
const READ = '/api/v1/Transaction/{referenceId}'
const LINES = 60

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`looking up goes on in the open page after ${signal} and a start, without being asked for`, {
    tag: '@long',
  }, async ({ page, sandbox, programs, expectedErrors }) => {
    expectedErrors.push(CONSOLE_AWAY)
    await signIn(page, OPERATOR)
    await sandbox.fault({ method: 'GET', path: READ, times: LINES, effect: { delayMs: 500 } })
    await takeStatement(
      page,
      Array.from({ length: LINES }, (_, n) => ({ reference: `${signal} ${n}`, amount: '1.00' })),
    )
    const strip = page.getByRole('region', { name: 'Looking up' })
    await expect(strip).toContainText(`Looking up for ${OPERATOR}: `)
    // It stays the same page: what is loaded anew has not got this.
    await page.evaluate(() => document.body.setAttribute('data-same-page', ''))
    await expect.poll(() => sandbox.faultsWaiting(), { intervals: [50] }).toBeGreaterThan(0)
    await programs.console.stop(signal)
    await programs.console.start()
    await expect(page.getByRole('link', { name: `Unknown reference ${LINES}`, exact: true })).toBeVisible()
    await expect(strip).toHaveCount(0)
    await expect(page.getByText('stopped')).toHaveCount(0)
    await expect(page.locator('body[data-same-page]')).toHaveCount(1)
    await expectAccessible(page)
  })
}
