import { join } from 'node:path'
import { cardNumber, sendNewCard, shownDigits } from './support/card-tasks.ts'
import { filesBelow } from './support/files.ts'
import { expect, test } from './support/fixtures.ts'
import { outcome } from './support/outcome.ts'
import { collectReceived, findSecrets, readablePlaces } from './support/received.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = '00000000-0000-4000-8000-000000000001'

/** A document without its tags and spaces: a number that is shown in groups stands whole in it. */
const flat = (text: string): string => text.replace(/<[^>]*>|&[a-z]+;|[\s\u00a0]/g, '')

test('has a card number in one answer and nowhere else', async ({ page, programs, sandbox }) => {
  const received = collectReceived(page)
  await signIn(page, 'admin@example.com')
  // To the wallet of an operator: its holder may read the number, so the service puts it into what the console reads for them.
  await sendNewCard(page, { userId: OPERATOR, printedName: 'Operator Olsen' })
  const number = await shownDigits(page)
  expect(number).toMatch(/^\d{16}$/)
  const whileShown = await readablePlaces(page)
  expect(findSecrets(whileShown, [number])).toEqual([])
  expect(flat(await page.content())).toContain(number)
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  const whileMasked = await readablePlaces(page)
  expect(findSecrets(whileMasked, [number])).toEqual([])
  expect(whileMasked.filter(({ text }) => flat(text).includes(number))).toEqual([])

  await page.getByRole('button', { name: 'I have handed it over' }).click()
  await expect(cardNumber(page)).toHaveCount(0)
  expect(flat(await page.content())).not.toContain(number)
  const places = [...(await readablePlaces(page))]
  const address = page.url()
  await page.reload()
  await expect(outcome(page, 'Done')).toContainText(number.slice(-4))
  places.push(...(await readablePlaces(page)))
  const card = (await page.getByRole('link', { name: 'Open the card' }).getAttribute('href')) ?? ''
  await page.context().clearCookies()
  await signIn(page, 'operator@example.com', card)
  await expect(page.getByRole('heading', { name: 'At the service: your own card' })).toBeVisible()
  const id = card.split('/').at(-1) ?? ''
  expect((await sandbox.cardOf('operator@example.com', id)).cardNumber).toBe(number)
  places.push(...(await readablePlaces(page)))
  const command = new URL(address).searchParams.get('command')
  for (const path of [
    '/cards',
    `/cards?find=${number.slice(-4)}`,
    `/users/${OPERATOR}/cards`,
    `/activity/${command}`,
    '/',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    places.push(...(await readablePlaces(page)))
  }

  // The console's own pages only: the identity provider's pages are not ours.
  const ours = (await received()).filter(({ what }) => !what.includes('/idp/'))
  const carrying = findSecrets([...ours, ...places], [number])
  expect(carrying).toEqual([expect.stringMatching(/^body of .*\/api\/commands\/[\da-f-]+$/)])
  expect(places.filter(({ text }) => flat(text).includes(number))).toEqual([])
  const answer = ours.find(({ what }) => what === carrying[0])
  expect(answer?.text).toContain(`"cardNumber":"${number}"`)
  expect(findSecrets([{ what: 'log', text: programs.console.printed }], [number])).toEqual([])
  expect(findSecrets(filesBelow(join(programs.folder, 'console')), [number])).toEqual([])

  // The search itself can fail: the last four digits, which are kept, are found in the same places.
  expect(findSecrets(filesBelow(join(programs.folder, 'console')), [`ending ${number.slice(-4)}`, id])).not.toEqual([])
  expect(findSecrets(places, [id])).not.toEqual([])
})
