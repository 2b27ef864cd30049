import { join } from 'node:path'
import { filesBelow } from './support/files.ts'
import { expect, test } from './support/fixtures.ts'
import { outcome } from './support/outcome.ts'
import { collectReceived, findSecrets, readablePlaces } from './support/received.ts'
import { signIn } from './support/sign-in.ts'
import { panel, qrCode, secret, showKey } from './support/two-factor-tasks.ts'

test('the secret, the codes and the grant are nowhere but in the one answer that shows the key', async ({
  page,
  programs,
}) => {
  const received = collectReceived(page)
  await signIn(page, 'newcomer@example.com', '/security')
  const phone = await showKey(page)
  const key = ((await secret(page).textContent()) ?? '').replace(' copy the secret', '').replaceAll(' ', '')
  const barcode = (await qrCode(page).getAttribute('src'))?.split(',')[1] ?? ''
  expect([key.length, barcode.length > 500]).toEqual([32, true])
  const codes = [phone.code(), phone.code(1)]
  await page.getByLabel('Code').fill(codes[0] ?? '')
  await expect(panel(page)).toContainText('On since')
  await panel(page).getByRole('button', { name: 'Remove two-factor security' }).click()
  await page.getByLabel('Code').fill(codes[1] ?? '')
  await expect(outcome(page, 'Done')).toContainText('Removed')

  const secrets = [key, barcode, ...programs.proxy.tokens]
  const ours = (await received()).filter(({ what }) => !what.includes('/idp/'))
  const shownIn = findSecrets(ours, secrets)
  expect(shownIn).toEqual([expect.stringMatching(/^body of .*\/api\/commands\/[\w-]{36}$/)])
  const headers = ours.find(({ what }) => what === shownIn[0]?.replace('body', 'headers'))
  expect(headers?.text).toContain('["cache-control","no-store, no-transform"]')

  const kept = [
    ...(await readablePlaces(page)),
    { what: 'log', text: programs.console.printed },
    ...filesBelow(join(programs.folder, 'console')),
  ]
  expect(findSecrets(kept, secrets)).toEqual([])
  for (const code of codes) {
    const alone = new RegExp(`(?<![\\w.])${code}(?!\\w)`)
    // The session's own times have six digits, too.
    const places = [...ours, ...kept].filter(({ what }) => !what.includes('/api/session/state'))
    expect(places.filter(({ text }) => alone.test(text)).map(({ what }) => what)).toEqual([])
  }
})
