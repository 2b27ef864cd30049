import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { startDarkLine } from './support/dark-line.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { startPostgres } from './support/postgres.ts'
import { startPrograms } from './support/programs.ts'
import { signInWithPassword } from './support/sign-in.ts'

test.setTimeout(180_000)

const readiness = async (consoleUrl: string): Promise<number> => (await fetch(`${consoleUrl}/api/ready`)).status

test('without its store the console says so on its own page and to its own scripts, and is not ready', async ({
  browser,
}) => {
  const programs = await startPrograms()
  const context = await browser.newContext({ baseURL: programs.consoleUrl })
  try {
    const page = await context.newPage()
    await signInWithPassword(page, 'operator@example.com')
    await expect(page).toHaveURL('/')
    expect(await readiness(programs.consoleUrl)).toBe(200)
    await programs.postgres?.stop()
    expect(await readiness(programs.consoleUrl)).toBe(503)

    for (const path of ['/', '/deposits', '/activity/e6f1c3a2-5b7d-4e8f-9a0b-1c2d3e4f5a6b', '/security']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'The console cannot reach its own store' }), path).toBeVisible()
      await expect(
        page.getByText(/Nothing was changed by looking\. Try again in a moment\..* report \d+/),
      ).toBeVisible()
    }
    await expectAccessible(page)
    await page.goto('/sign-in')
    const answers = await page.evaluate(async () => {
      const own = { 'x-console': '1' }
      const [state, open] = await Promise.all([
        fetch('/api/session/state', { headers: own }),
        fetch('/api/commands', { headers: own }),
      ])
      return Promise.all([state, open].map(async (answer) => [answer.status, await answer.json()] as const))
    })
    for (const [status, body] of answers) {
      expect(status).toBe(503)
      expect(body).toMatchObject({ ok: false, problem: { title: expect.stringMatching(/store|journal/) } })
    }
    expect(programs.console.printed).toMatch(/"event":"request-error","route":"[^"]+","kind":"render"/)
    // Of the errors themselves no line is printed, whatever their messages say.
    expect(programs.console.printed).not.toMatch(/ECONNREFUSED 127|^\s*at /m)
    expect(await programs.console.stop()).toBe(0)
  } finally {
    await context.close()
    await programs.stop()
  }
})

test('a database that answers nothing makes the console not ready within three seconds', async () => {
  const postgres = await startPostgres()
  const line = await startDarkLine(postgres.url)
  const programs = await startPrograms({ DATABASE_URL: line.url }, 'embedded')
  try {
    expect(await readiness(programs.consoleUrl)).toBe(200)
    line.goDark()
    for (let asked = 0; asked < 3; asked += 1) {
      const began = Date.now()
      expect(await readiness(programs.consoleUrl)).toBe(503)
      expect(Date.now() - began).toBeLessThan(3_000)
    }
  } finally {
    line.stop()
    await programs.stop()
    await postgres.stop()
  }
})

test('an embedded store whose folder is gone makes the console not ready', async () => {
  const programs = await startPrograms({}, 'embedded')
  try {
    expect(await readiness(programs.consoleUrl)).toBe(200)
    const [store, away] = [join(programs.folder, 'console'), join(programs.folder, 'away')]
    renameSync(store, away)
    const answer = await fetch(`${programs.consoleUrl}/api/ready`)
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { status: 'not ready', reason: 'The store does not answer.' },
    ])
    renameSync(away, store)
    expect(await readiness(programs.consoleUrl)).toBe(200)
  } finally {
    await programs.stop()
  }
})
