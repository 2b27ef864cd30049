import { join } from 'node:path'
import { filesBelow } from './support/files.ts'
import { expect, test } from './support/fixtures.ts'
import { collectReceived, findSecrets, handleOf, readablePlaces } from './support/received.ts'
import { PASSWORD } from './support/sandbox-controls.ts'
import { signInThroughPages, signInWithPassword } from './support/sign-in.ts'
import { watchQuiet } from './support/visits.ts'

test('leaves no token, handle or password anywhere', async ({ page, context, programs, sandbox }) => {
  const received = collectReceived(page)
  const reference = await sandbox.announceDeposit('ana@example.com', '33')
  await signInThroughPages(page, 'operator@example.com')
  await page.goto(`/deposits?reference=${encodeURIComponent(reference)}`)
  await page.getByLabel('Bank’s reference').fill('ATL-C1')
  await page.getByLabel('Amount on the statement').fill('33')
  await page.getByRole('button', { name: /^Confirm deposit/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Confirm deposit/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Done', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Open the transaction' }).click()
  await expect(page.getByRole('heading', { name: 'Transaction', exact: true })).toBeVisible()
  const handles = [await handleOf(context)]
  const places = [...(await readablePlaces(page))]

  await context.clearCookies()
  await signInWithPassword(page, 'operator@example.com')
  await expect(page).toHaveURL('/')
  handles.push(await handleOf(context))
  await watchQuiet(page)()
  places.push(...(await readablePlaces(page)), ...(await received()))

  // The console's own pages only: the identity provider's pages are not ours, and take a password.
  const ours = places.filter(({ what }) => !what.includes('/idp/'))
  const tokens = [...programs.proxy.tokens]
  expect(tokens.length).toBeGreaterThanOrEqual(4)
  const secrets = [...tokens, ...handles, PASSWORD]
  expect(findSecrets(ours, secrets)).toEqual([])
  expect(findSecrets([{ what: 'log', text: programs.console.printed }], secrets)).toEqual([])
  expect(findSecrets(filesBelow(join(programs.folder, 'console')), secrets)).toEqual([])

  const { name } = JSON.parse(places.find(({ what }) => what === '/api/auth/session')?.text ?? '{}').user
  expect(name).toBe('operator@example.com')

  // The search itself can fail: plant each kind of secret where a mistake would put it.
  for (const secret of [...tokens.slice(0, 4), ...handles]) {
    await page.evaluate((value) => localStorage.setItem('planted', value), secret)
    expect(findSecrets(await readablePlaces(page), secrets)).toEqual(['localStorage'])
    await page.evaluate(() => localStorage.clear())
    const encoded = [{ what: 'payload', text: `1:{"token":"${Buffer.from(secret).toString('base64')}"}` }]
    expect(findSecrets(encoded, secrets)).toEqual(['payload'])
  }
})
