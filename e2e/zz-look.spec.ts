import { test } from './support/fixtures.ts'
import { signInWithSso } from './support/sign-in.ts'

test('look', async ({ page, sandbox, programs, expectedErrors }) => {
  test.setTimeout(120_000)
  expectedErrors.push(/./)
  const login = await (
    await fetch(`${programs.sandboxUrl}/api/v1/Users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@example.com', password: 'Sandbox-Pass-1' }),
    })
  ).json()
  const token = login.data.accessToken
  const list = await (
    await fetch(`${programs.sandboxUrl}/api/v1/Dispute?all=true&pageSize=100`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).json()
  const lengths: [string, string, number][] = []
  for (const c of list.data.cases) {
    const m = await (
      await fetch(`${programs.sandboxUrl}/api/v1/Dispute/${c.id}/messages?pageSize=1`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).json()
    lengths.push([c.id, c.status, m.data.totalCount])
  }
  const long = lengths.filter(([, s]) => s === 'OPEN').sort((a, b) => b[2] - a[2])[0]
  const mid = lengths.filter(([, s, n]) => s === 'OPEN' && n > 3 && n < 8)[0]
  const resolved = lengths.filter(([, s]) => s === 'RESOLVED')[0]
  await signInWithSso(page, 'arbitrator@example.com', `/disputes/${mid?.[0]}`)
  void sandbox
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    for (const [name, c] of [
      ['long', long],
      ['mid', mid],
      ['resolved', resolved],
    ] as const) {
      await page.goto(`/disputes/${c?.[0]}`)
      await page.waitForTimeout(2500)
      for (const width of [1440, 1024, 390]) {
        if (theme === 'dark' && (width !== 1440 || name === 'long')) continue
        await page.setViewportSize({ width, height: 900 })
        await page.waitForTimeout(300)
        await page.screenshot({ path: `/tmp/look/${name}-${theme}-${width}.png` })
        if (width < 1100) {
          await page.getByRole('tab', { name: 'Facts and decision' }).click()
          await page.screenshot({ path: `/tmp/look/${name}-${theme}-${width}-facts.png` })
          await page.getByRole('tab', { name: 'Thread' }).click()
        }
      }
    }
  }
})
