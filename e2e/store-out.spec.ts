import { startDarkLine } from './support/dark-line.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import type { Programs } from './support/programs.ts'
import { signInWithPassword } from './support/sign-in.ts'

const readiness = async (consoleUrl: string): Promise<number> => (await fetch(`${consoleUrl}/api/ready`)).status

/** One more console, whose line to the store can be taken away. */
async function startOnALine({ postgres, startAnotherConsole }: Programs) {
  if (postgres === null) throw new Error('these tests are about a store on PostgreSQL')
  const line = await startDarkLine(postgres.url)
  const another = await startAnotherConsole((url) => ({ DATABASE_URL: line.url, NEXTAUTH_URL: url }))
  return { ...another, line }
}

test('reports a missing store to pages, scripts and the balancer', {
  tag: '@long',
}, async ({ browser, programs }) => {
  const { url, program, line } = await startOnALine(programs)
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  await signInWithPassword(page, 'operator@example.com')
  await expect(page).toHaveURL('/')
  expect(await readiness(url)).toBe(200)
  line.stop()
  expect(await readiness(url)).toBe(503)

  for (const path of ['/', '/deposits', '/activity/e6f1c3a2-5b7d-4e8f-9a0b-1c2d3e4f5a6b', '/security']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'The console cannot reach its database' }), path).toBeVisible()
    await expect(page.getByText(/may have been made: check Activity before you repeat it\..* report \d+/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open Activity' })).toHaveAttribute('href', '/activity')
  }
  await expectAccessible(page)
  await page.goto('/sign-in')
  const answers = await page.evaluate(async () => {
    const own = { 'x-console': '1' }
    const [state, open] = await Promise.all([
      fetch('/api/session/state', { headers: own }),
      fetch('/api/commands/e6f1c3a2-5b7d-4e8f-9a0b-1c2d3e4f5a6b', { headers: own }),
    ])
    return Promise.all([state, open].map(async (answer) => [answer.status, await answer.json()] as const))
  })
  for (const [status, body] of answers) {
    expect(status).toBe(503)
    expect(body).toMatchObject({ ok: false, problem: { title: expect.stringMatching(/database|journal/) } })
  }
  expect(program.printed).toMatch(/"event":"request-error","route":"[^"]+","kind":"render"/)
  // Of the errors themselves no line is printed, whatever their messages say.
  expect(program.printed).not.toMatch(/ECONNREFUSED 127|^\s*at /m)
  expect(await program.stop()).toBe(0)
  await context.close()
})

test('a database that answers nothing makes the console not ready', { tag: '@long' }, async ({ programs }) => {
  const { url, program, line } = await startOnALine(programs)
  expect(await readiness(url)).toBe(200)
  line.goDark()
  for (let count = 0; count < 3; count += 1) {
    expect(await readiness(url)).toBe(503)
  }
  line.stop()
  await program.stop()
})
