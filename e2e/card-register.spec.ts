import { fillNewCard, issueCard, sendNewCard } from './support/card-tasks.ts'
import { expect, expectAccessible, test } from './support/fixtures.ts'
import { outcome } from './support/outcome.ts'
import { ANA } from './support/sandbox-controls.ts'
import { signIn } from './support/sign-in.ts'

const OPERATOR = 'operator@example.com'
const OPERATORS_ID = '00000000-0000-4000-8000-000000000001'
const ISSUE = '/api/v1/cards'
const BEN = '00000000-0000-4000-8000-000000000012'
/** No other test issues cards to these. */
const CLEO = '00000000-0000-4000-8000-000000000013'
const DARIO = '00000000-0000-4000-8000-000000000014'

test('a lost answer: the holder reads the card out, and it is registered here; nothing is sent again', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await signIn(page, OPERATOR)
  const before = await sandbox.arrived('POST', ISSUE)
  const cards = (await sandbox.cardsOf('ben@example.com')).map(({ id }) => id)
  await sandbox.fault({ method: 'POST', path: ISSUE, effect: 'drop-after' })
  await sendNewCard(page, { userId: BEN, printedName: 'Ben Bennett' })
  await expect(outcome(page, 'Not known yet')).toContainText('It is not sent again')
  await expect(outcome(page, 'Not known yet')).toContainText('needs a person')
  await expect(page.getByRole('button', { name: 'Check now' })).toHaveCount(0)
  await expectAccessible(page)

  // Nobody issues another one to this holder meanwhile.
  const address = page.url()
  await page.goto('/cards/issue')
  await fillNewCard(page, { userId: BEN })
  await page.getByRole('button', { name: /^Issue a card/ }).click()
  await expect(page.getByText('or its outcome is not known yet')).toContainText(OPERATOR)

  await page.goto(address)
  const held = (await sandbox.cardsOf('ben@example.com')).find(({ id }) => !cards.includes(id))
  await page.getByRole('button', { name: 'Register this card' }).click()
  await expect(page.getByText('Enter the card id.')).toBeVisible()
  await page.getByLabel('Card id').fill(held?.id ?? '')
  await page.getByLabel('Last four digits').fill((await sandbox.cardOf('ben@example.com', held?.id ?? '')).cardNumber)
  await page.getByLabel('How do you know?', { exact: true }).fill('The holder read it out by phone')
  await page.getByRole('button', { name: 'Register this card' }).click()
  await expect(page.getByText('Enter only the last four digits')).toBeVisible()
  await page.getByLabel('Last four digits').fill(held?.last4 ?? '')
  await page.getByRole('button', { name: 'Register this card' }).click()
  await expect(outcome(page, 'Done')).toContainText('The holder read it out by phone')
  await page.getByRole('link', { name: 'Open the card' }).click()
  await expect(page.getByText(`read out by the holder to ${OPERATOR}`)).toBeVisible()
  expect(await sandbox.arrived('POST', ISSUE)).toBe(before + 1)
})

test('an answer that cannot be read leaves the issue not known', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await signIn(page, OPERATOR)
  await sandbox.fault({ method: 'POST', path: ISSUE, effect: 'garble' })
  await sendNewCard(page, { userId: ANA })
  await expect(page.getByRole('heading', { name: 'Check with the holder' })).toBeVisible()
  await expect(outcome(page, 'Not known yet')).toContainText('needs a person')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Check with the holder' })).toBeVisible()
})

test('one search finds cards by their holder, last four digits, name and type, and says what it searched', {
  tag: '@long',
}, async ({ page }) => {
  await signIn(page, OPERATOR)
  const cleo = await issueCard(page, { userId: CLEO, printedName: 'Cleo Castillo' })
  const dario = await issueCard(page, { userId: DARIO, printedName: 'Dario Diaz' })
  await page.goto('/cards')
  const rows = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Block' }) })
  const search = async (typed: string) => {
    await page.getByLabel('Search cards').fill(typed)
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page).toHaveURL(`/cards?${new URLSearchParams({ find: typed })}`)
  }
  await search(DARIO)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(dario.last4)
  await expect(page.getByText('Cards of the holder with this id.')).toBeVisible()
  await search(cleo.last4)
  await expect(rows.filter({ hasText: 'Cleo Castillo' })).toHaveCount(1)
  await expect(page.getByText(`Cards ending in ${cleo.last4}`)).toBeVisible()
  await search('dario d')
  await expect(rows).toHaveCount(1)
  await search('classi')
  await expect(rows.filter({ hasText: 'Cleo Castillo' })).toHaveCount(1)
  await search('nobody at all')
  await expect(page.getByText('No cards match')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Show all' }).click()
  await expect(rows.filter({ hasText: 'Dario Diaz' })).toHaveCount(1)
  // A type that no card had so far is entered by its number, which stays where the service refuses it.
  await sendNewCard(page, { userId: CLEO, cardType: '9' })
  await expect(outcome(page, 'Not done')).toBeVisible()
  await expect(page.getByLabel('Card type number')).toHaveValue('9')
  await page.goto(`/users/${DARIO}/cards`)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Dario Diaz')
  await page.goto(`/users/${OPERATORS_ID}/cards`)
  await expect(page.getByText('No cards issued here')).toBeVisible()
  await page.getByRole('link', { name: 'Issue a card for this user' }).click()
  await expect(page.getByLabel('Holder’s user id')).toHaveValue(OPERATORS_ID)
})

test('restores the form of an issue that did not happen', {
  tag: '@long',
}, async ({ page, sandbox }) => {
  await signIn(page, OPERATOR)
  await sandbox.fault({ method: 'POST', path: ISSUE, effect: 'drop-before' })
  await sendNewCard(page, { userId: DARIO, printedName: 'Dario Duarte' })
  const open = outcome(page, 'Not known yet')
  await expect(open).toContainText('needs a person')
  await open.getByLabel('How do you know the outcome?').fill('The holder sees no card')
  await open.getByRole('button', { name: 'It did not happen' }).click()
  await expect(outcome(page, 'Not done')).toBeVisible()
  const expectTyped = async () => {
    await expect(page.getByLabel('Printed name')).toHaveValue('Dario Duarte')
    await expect(page.getByLabel('Holder’s user id')).toHaveValue(DARIO)
  }
  await expectTyped()
  await page.reload()
  await expectTyped()
})
